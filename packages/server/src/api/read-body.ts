import type { Kysely } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { Asked } from './asked.ts';
import type { Page } from './served-endpoints.ts';

/** A whole answer and the state of the data that it shows. */
export interface FoundBody {
  readonly revision: string;
  readonly body: Buffer;
}

/** The beginning of an answer that is too long for one body, and the state that it shows. */
export interface FirstPage {
  readonly revision: string;
  readonly page: Page;
}

/**
 * Reads an answer that belongs to exactly one revision. The rows come in one statement; where the
 * revision is the same before and after it, it is theirs, since every write draws a new one. Where
 * a write came in between, a snapshot settles it.
 */
export async function readBody(store: Store, asked: Asked): Promise<FoundBody | FirstPage> {
  const { endpoint, prepared, workspaceId, revision } = asked;
  const page = await prepared.read({ ...asked, db: store.reader });
  const after = await readRevision(store.reader, workspaceId);
  if (after === revision) return bodyOrPage(endpoint.array, { revision, page });

  const snapshot = await store.snapshot({ workspaceId, isBrief: true });
  try {
    return bodyOrPage(endpoint.array, {
      revision: await readRevision(snapshot.db, workspaceId),
      page: await prepared.read({ ...asked, db: snapshot.db }),
    });
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

function bodyOrPage(array: string, first: FirstPage): FoundBody | FirstPage {
  const { revision, page } = first;
  if (page.next !== undefined) return first;
  return { revision, body: Buffer.from(JSON.stringify({ [array]: page.rows })) };
}
