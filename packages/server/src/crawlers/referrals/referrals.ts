import { isbot } from 'isbot';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import type { LogLine } from '../log-line.ts';
import { engineOf } from './engines.ts';

/** One visit of a person who followed a link in an answer. Nothing about the person is stored. */
export interface Referral {
  /** A keyed hash of the log line: it recognises the line and does not reveal it. */
  readonly id: string;
  readonly date: string;
  readonly host: string | null;
  /** Without its query. */
  readonly path: string;
  readonly engine: string;
}

/** Files that pages load, and that engines show in answers, such as a picture. */
const asset =
  /\.(?:avif|bmp|css|cur|eot|gif|ico|jpe?g|js|json|m3u8|m4[av]|map|mjs|mp[34]|og[gv]|otf|png|svg|tiff?|ttf|wasm|wav|webm|webmanifest|webp|woff2?|xml)$/i;

/**
 * The page that an answer sent a person to, and the engine; undefined for any other request. A page counts
 * if it was shown (2xx, or 304): the target of a redirect is a request of its own, from the same place.
 */
export function readReferral(line: LogLine): Pick<Referral, 'engine' | 'path'> | undefined {
  const { method, status, target, userAgent } = line;
  const engine = engineOf(line.referer, target);
  const isShown = status === null || (status >= 200 && status < 300) || status === 304;
  if (engine === undefined || method !== 'GET' || !isShown) return undefined;
  const [path = ''] = target.split(/[?#]/, 1);
  return path === '' || asset.test(path) || isbot(userAgent) ? undefined : { engine, path };
}

/** Adds referrals. Returns how many are new: a line that was read before adds nothing. */
export async function writeReferrals(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  referrals: readonly Referral[],
): Promise<number> {
  // The values are bound in the order of the fields.
  const rows = referrals.map(({ id, date, host, path, engine }) => {
    return { workspace_id: workspaceId, id, date, host, path, engine };
  });
  const insert = rowStatement(transaction, (some: Readonly<typeof rows>) =>
    transaction
      .insertInto('referrals')
      .values(some)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
      .returning('id')
      .compile(),
  );
  return (await insert(rows)).length;
}

/** Removes the referrals of a workspace, or those that have no host. Returns how many. */
export async function removeReferrals(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { isWithoutHost }: { isWithoutHost: boolean },
): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('referrals')
    .where('workspace_id', '=', workspaceId)
    .$if(isWithoutHost, (query) => query.where('host', 'is', null))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
