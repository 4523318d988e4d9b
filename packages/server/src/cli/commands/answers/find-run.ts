import type { Kysely } from 'kysely';
import { findId } from '../../../storage/queries/find-id.ts';
import type { DataTables } from '../../../storage/schema.ts';
import type { WorkspaceContext } from '../../define/define-command.ts';
import { CommandError } from '../../terminal/command-error.ts';
import { quote } from '../../words/refusals/quote.ts';

/** Finds a run by its id or the beginning of its id. Throws a `CommandError` if there is none. */
export async function findRun(
  db: Kysely<DataTables>,
  { workspaceId, slug }: Pick<WorkspaceContext, 'workspaceId' | 'slug'>,
  typed: string,
): Promise<string> {
  const id = await findId(db, { table: 'runs', workspaceId, word: typed });
  if (id !== undefined) return id;
  const advice = typed.length < 4 ? 'Give the first 4 characters of its id or more' : 'List them';
  throw new CommandError(
    `${slug} has no run ${quote(typed)}. ${advice}: overheard answers list --workspace ${slug}`,
  );
}
