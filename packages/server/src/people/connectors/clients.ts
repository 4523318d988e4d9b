import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { AccessTables } from '../../storage/schema.ts';
import { printable } from '../../values/printable.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { newId } from '../../values/uuid.ts';
import { isLoopback } from './address.ts';

type Db = Kysely<AccessTables>;

/** A program that people may connect. Nobody has checked its name. */
export interface ConnectorClient {
  readonly id: string;
  readonly name: string;
  /** The addresses to which people may be sent back. */
  readonly redirects: readonly string[];
}

const unusedLastsMs = dayMs;
/** Most registered clients that nobody has connected yet. */
const unusedMax = 1000;
const redirectsMax = 20;
const nameLengthMax = 80;
const redirectLengthMax = 2000;
/** Invisible characters, such as U+200B and U+3164. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const storedRedirects = z.array(z.string());

/** A client as it describes itself, without what cannot be shown or must not be followed. */
export function newClient({
  id,
  name,
  redirects,
  otherName,
}: ConnectorClient & { otherName: string }): ConnectorClient {
  return {
    id,
    name:
      printable(name.replaceAll(invisible, ''), { lengthMax: nameLengthMax }).trim() || otherName,
    redirects: redirects.filter(isRedirect).slice(0, redirectsMax),
  };
}

/**
 * Registers a client by itself (RFC 7591) for a day, and for good once someone connects it. Drops the
 * oldest unused ones where too many wait, so that strangers cannot shut out the next one. Undefined if
 * people may be sent to none of its addresses.
 */
export async function registerClient(
  db: Db,
  { name, redirects, clock }: { name: string; redirects: readonly string[]; clock: () => number },
): Promise<ConnectorClient | undefined> {
  const otherName = 'A program without a name';
  const client = newClient({ id: newId(clock), name, redirects, otherName });
  if (client.redirects.length === 0) return undefined;
  const excess = db
    .selectFrom('oauth_clients')
    .select('id')
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(unusedMax)
    .offset(unusedMax - 1);
  await db
    .deleteFrom('oauth_clients')
    .where('used_at', 'is', null)
    .where(({ or, eb }) => or([eb('created_at', '<=', unusedSince(clock)), eb('id', 'in', excess)]))
    .execute();
  await db
    .insertInto('oauth_clients')
    .values({
      ...client,
      redirects: JSON.stringify(client.redirects),
      created_at: new Date(clock()).toISOString(),
      used_at: null,
    })
    .execute();
  return client;
}

/** A registered client. Undefined if there is none, or nobody connected it for a day. */
export async function findRegistered(
  db: Db,
  id: string,
  clock: () => number,
): Promise<ConnectorClient | undefined> {
  const row = await db
    .selectFrom('oauth_clients')
    .select(['name', 'redirects'])
    .where('id', '=', id)
    .where(({ or, eb }) =>
      or([eb('used_at', 'is not', null), eb('created_at', '>', unusedSince(clock))]),
    )
    .executeTakeFirst();
  return row && { id, ...row, redirects: storedRedirects.parse(JSON.parse(row.redirects)) };
}

/** Whether people may be sent to an address: https, or a program on their own machine. */
function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > redirectLengthMax) return false;
  if (text.includes('#') || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/**
 * Whether a client may have people sent back to an address: exactly one of its own, but for the
 * port of a program on their machine (RFC 8252, 7.3).
 */
export function hasRedirect({ redirects }: ConnectorClient, wanted: string): boolean {
  if (!isRedirect(wanted)) return false;
  return redirects.some((each) => withoutPort(each) === withoutPort(wanted));
}

/** The address of a program on one's own machine, without its port; any other as it is. */
function withoutPort(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'http:') return text;
  url.port = '';
  return url.href;
}

/** A client that nobody has connected since is forgotten. */
function unusedSince(clock: () => number): string {
  return new Date(clock() - unusedLastsMs).toISOString();
}
