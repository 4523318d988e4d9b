import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import type { EndpointQuery } from './endpoint-query.ts';

/** A whole answer and the state of the data that it shows. */
export interface FoundBody {
  readonly revision: string;
  readonly body: Buffer;
}

/**
 * Reads an answer that belongs to exactly one revision, or undefined if it is too long for one body.
 * The rows come in one statement; where the revision is the same before and after it, it is theirs,
 * since every write draws a new one. Where a write came in between, a snapshot settles it.
 */
export async function readBody(store: Store, query: EndpointQuery): Promise<FoundBody | undefined> {
  const { prepared, workspaceId, revision } = query;
  const rows = await prepared.readWhole({ ...query, db: store.reader });
  if (rows === undefined) return undefined;
  const after = await readRevision(store.reader, workspaceId);
  if (after === revision) return { revision, body: bodyOf(query, rows) };

  const snapshot = await store.snapshot({ workspaceId, isBrief: true });
  try {
    const settled = await readRevision(snapshot.db, workspaceId);
    const its = await prepared.readWhole({ ...query, db: snapshot.db });
    return its === undefined ? undefined : { revision: settled, body: bodyOf(query, its) };
  } finally {
    await snapshot.release();
  }
}

/** The revision of a workspace's data; empty where the workspace has been removed. */
export async function readRevision(db: Kysely<DataTables>, workspaceId: string): Promise<string> {
  const found = await db
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return found?.revision ?? '';
}

function bodyOf({ endpoint }: EndpointQuery, rows: readonly unknown[]): Buffer {
  return Buffer.from(JSON.stringify({ [endpoint.array]: rows }));
}
