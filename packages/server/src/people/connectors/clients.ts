import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { AccessTables } from '../../storage/schema.ts';
import { printable } from '../../values/printable.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { newId } from '../../values/uuid.ts';
import { isLoopback } from './address.ts';
import { isDocumentAddress, readDocument } from './client-document.ts';
import type { DocumentFetch } from './client-document.ts';

type Db = Kysely<AccessTables>;

/** A program that people may connect. Nobody has checked its name. */
export interface ConnectorClient {
  readonly id: string;
  readonly name: string;
  readonly redirects: readonly string[];
}

const documentLastsMs = 60 * 60_000;
const unusedLastsMs = dayMs;
/** Most registered clients that nobody has connected yet. */
const unusedMax = 1000;
export const redirectsMax = 20;
const nameLengthMax = 80;
const redirectLengthMax = 2000;

/**
 * The client of an id: registered here, or with a document at that address, which is kept for an
 * hour. Undefined if there is none.
 */
export async function findClient(
  db: Db,
  id: string,
  {
    fetchDocument,
    mayRegister,
    clock,
  }: { fetchDocument: DocumentFetch; mayRegister: boolean; clock: () => number },
): Promise<ConnectorClient | undefined> {
  if (!mayRegister && !isDocumentAddress(id)) return undefined;
  const known = await findStoredClient(db, id, clock);
  if (known !== undefined || !isDocumentAddress(id)) return known;
  const document = await readDocument(id, fetchDocument);
  if (document === undefined) return undefined;
  const name = cleanName(document.client_name) || new URL(id).host;
  const redirects = document.redirect_uris.filter(isRedirect).slice(0, redirectsMax);
  await storeClient(db, { id, kind: 'document', name, redirects, clock });
  return { id, name, redirects };
}

/** A client that is stored and whose time has not run out. */
export async function findStoredClient(
  db: Db,
  id: string,
  clock: () => number,
): Promise<ConnectorClient | undefined> {
  const limits = ageLimits(clock());
  const row = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isOld = row.created_at <= limits[row.kind] && row.used_at === null;
  if (isOld) return undefined;
  return { id, name: row.name, redirects: storedRedirects.parse(JSON.parse(row.redirects)) };
}

/**
 * Registers a client by itself (RFC 7591) for a day, and for good once someone connects it.
 * Undefined if too many wait for their first connection.
 */
export async function registerClient(
  db: Db,
  { name, redirects, clock }: { name: string; redirects: readonly string[]; clock: () => number },
): Promise<ConnectorClient | undefined> {
  const { waiting } = await db
    .selectFrom('oauth_clients')
    .select(({ fn }) => fn.countAll<number | string>().as('waiting'))
    .where('kind', '=', 'registered')
    .where('used_at', 'is', null)
    .where('created_at', '>', ageLimits(clock()).registered)
    .executeTakeFirstOrThrow();
  if (Number(waiting) >= unusedMax) return undefined;
  const client = {
    id: newId(clock),
    name: cleanName(name) || 'A program without a name',
    redirects,
  };
  await storeClient(db, { ...client, kind: 'registered', clock });
  return client;
}

/** Whether people may be sent to an address: https, or a program on their own machine. */
export function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > redirectLengthMax) return false;
  // The host becomes part of the page's Content-Security-Policy.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname)) return false;
  if (text.includes('#') || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/**
 * Whether a client may have people sent back to an address: exactly one of its own, but for the
 * port of a program on their machine (RFC 8252, 7.3).
 */
export function hasRedirect({ redirects }: ConnectorClient, wanted: string): boolean {
  if (!isRedirect(wanted)) return false;
  return redirects.includes(wanted) || redirects.some((each) => isSameProgram(each, wanted));
}

function isSameProgram(registered: string, wanted: string): boolean {
  const urls = [new URL(registered), new URL(wanted)];
  if (!urls.every((url) => url.protocol === 'http:' && isLoopback(url))) return false;
  for (const url of urls) url.port = '';
  return urls[0]?.href === urls[1]?.href;
}

async function storeClient(
  db: Db,
  {
    redirects,
    clock,
    ...client
  }: ConnectorClient & { kind: 'document' | 'registered'; clock: () => number },
): Promise<void> {
  const limits = ageLimits(clock());
  await db
    .deleteFrom('oauth_clients')
    .where('used_at', 'is', null)
    .where(({ or, and, eb }) =>
      or(
        (['document', 'registered'] as const).map((kind) =>
          and([eb('kind', '=', kind), eb('created_at', '<=', limits[kind])]),
        ),
      ),
    )
    .execute();
  const created_at = new Date(clock()).toISOString();
  const stored = { name: client.name, redirects: JSON.stringify(redirects), created_at };
  await db
    .insertInto('oauth_clients')
    .values({ ...client, ...stored, used_at: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(stored))
    .execute();
}

/** A client without a connection that is as old as this, or older, is forgotten. */
function ageLimits(nowMs: number) {
  return {
    document: new Date(nowMs - documentLastsMs).toISOString(),
    registered: new Date(nowMs - unusedLastsMs).toISOString(),
  };
}

const storedRedirects = z.array(z.string());

function cleanName(name: string): string {
  return printable(name, { lengthMax: nameLengthMax }).trim();
}
