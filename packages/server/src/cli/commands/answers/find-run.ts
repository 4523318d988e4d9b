import type { Kysely } from 'kysely';
import { findId } from '../../../storage/queries/find-id.ts';
import type { DataTables } from '../../../storage/schema.ts';
import type { WorkspaceContext } from '../../define/define-command.ts';
import { Refusal } from '../../../refusals.ts';

/** Finds a run by its id or the beginning of its id. Throws a `Refusal` if there is none. */
export async function findRun(
  db: Kysely<DataTables>,
  { workspaceId }: Pick<WorkspaceContext, 'workspaceId'>,
  typed: string,
): Promise<string> {
  const id = await findId(db, { table: 'runs', workspaceId, word: typed });
  if (id !== undefined) return id;
  throw new Refusal('run_not_found', { word: typed });
}
