import { hash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { Refusal } from '../refusals.ts';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { parseJson } from '../values/json.ts';
import { newId } from '../values/uuid.ts';
import type { ReceiverHost } from '../storage/tables/key-tables.ts';
import { hasSecret } from './receiver-hosts.ts';

type Db = Kysely<AccessTables>;

/** A receiver in a list, without its token, which is not stored. */
export type ListedReceiver = Omit<AccessTables['receivers'], 'hash' | 'secret'>;

const columns = [
  'id',
  'workspace_id',
  'host',
  'site',
  'format',
  'last_four',
  'created_at',
  'created_by',
  'ended_at',
  'received_at',
  'lines',
  'hits',
  'skipped',
  'skipped_at',
  'skips',
] as const;

/** What is shown once of a new receiver. */
export interface NewReceiver {
  readonly record: ListedReceiver;
  /** The end of its address. */
  readonly token: string;
  /** Signs the requests of Vercel, or is the access key of Firehose; null for other hosts. */
  readonly secret: string | null;
}

/**
 * Makes a receiver of log lines and stores the SHA-256 of its token. When this returns, it is on
 * disk. `site` and `format` are already checked. Throws a `Refusal` if the workspace is removed
 * meanwhile.
 */
export async function addReceiver(
  store: Pick<Store, 'access' | 'reader'>,
  {
    workspaceId,
    host,
    site = null,
    format = 'auto',
    clock,
    id = newId(clock),
    userId = null,
  }: {
    workspaceId: string;
    host: ReceiverHost;
    site?: string | null;
    format?: string;
    clock: () => number;
    id?: string;
    userId?: string | null;
  },
): Promise<NewReceiver> {
  const token = randomBytes(32).toString('base64url');
  const secret = hasSecret(host) ? randomBytes(32).toString('base64url') : null;
  const record: ListedReceiver = {
    id,
    workspace_id: workspaceId,
    host,
    site,
    format,
    last_four: token.slice(-4),
    created_at: new Date(clock()).toISOString(),
    created_by: userId,
    ended_at: null,
    received_at: null,
    lines: 0,
    hits: 0,
    skipped: 0,
    skipped_at: null,
    skips: null,
  };
  await store.access
    .insertInto('receivers')
    .values({ ...record, hash: hash('sha256', token, 'hex'), secret })
    .execute();
  // Check after storing it, because removing a workspace removes its receivers again at the end.
  const workspace = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  if (workspace !== undefined) return { record, token, secret };
  await store.access.deleteFrom('receivers').where('id', '=', id).execute();
  throw new Refusal('workspace_removed', {});
}

/** Lists the receivers of one or all workspaces, oldest first, including ended ones. */
export function listReceivers(
  db: Db,
  { workspaceId }: { workspaceId?: string | undefined } = {},
): Promise<ListedReceiver[]> {
  return db
    .selectFrom('receivers')
    .select(columns)
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Ends a receiver: the next request is refused in every process, and lines that it took before are
 * still read. Undefined if there is none with this id, or it was ended before.
 */
export async function endReceiver(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId?: string | undefined },
  { clock }: { clock: () => number },
): Promise<ListedReceiver | undefined> {
  return db
    .updateTable('receivers')
    .set({ ended_at: new Date(clock()).toISOString() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
    .returning(columns)
    .executeTakeFirst();
}

/** A receiver as its requests need it. */
export type OpenReceiver = Pick<
  AccessTables['receivers'],
  'id' | 'workspace_id' | 'host' | 'secret'
>;

/** Finds the receiver of a token. Unknown, ended and malformed tokens take the same time. */
export async function findReceiver(db: Db, token: string): Promise<OpenReceiver | undefined> {
  const receiver = await db
    .selectFrom('receivers')
    .select(['id', 'workspace_id', 'host', 'secret', 'ended_at'])
    .where('hash', '=', hash('sha256', token, 'hex'))
    .executeTakeFirst();
  return receiver?.ended_at === null ? receiver : undefined;
}

const storedSkips = z.record(z.string(), z.number());

/** How many lines were skipped for each reason, the last time that any were. */
export function skipsOf({
  skips,
}: Pick<ListedReceiver, 'skips'>): Readonly<Record<string, number>> {
  return storedSkips.parse(parseJson(skips ?? '{}'));
}
