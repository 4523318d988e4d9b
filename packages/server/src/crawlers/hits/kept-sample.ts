import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { readCrawlerSettings } from '../settings.ts';
import { findProxies } from './find-proxies.ts';
import type { Proxies } from './find-proxies.ts';
import { createIdentity } from './identity.ts';
import { joinSamples, readSample, writeSample } from './line-sample.ts';
import type { SampledLine } from './line-sample.ts';

/** Days that a sampled line is kept at least, whatever the workspace keeps addresses for. */
const keepDaysMin = 30;

/** The sample of a workspace's log lines; empty where no log has been read. */
export async function readLineSample(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<readonly SampledLine[]> {
  const row = await db
    .selectFrom('log_samples')
    .select('lines')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row === undefined ? [] : readSample(row.lines);
}

/** The proxies that a workspace's logs show. */
export async function readProxies(db: Kysely<DataTables>, workspaceId: string): Promise<Proxies> {
  return findProxies(await readLineSample(db, workspaceId));
}

/** Makes what tells whether a workspace's logs show an address to be a proxy's, before any site. */
export async function createProxyTest(
  store: Store,
  workspaceId: string,
): Promise<(address: string) => boolean> {
  const { secret } = await readCrawlerSettings(store, workspaceId);
  const identity = createIdentity(secret);
  const { classes } = await readProxies(store.reader, workspaceId);
  return (address) => classes.has(identity.classOf('address', address));
}

/** Adds lines to the sample of a workspace. Returns the proxies that it showed and that it shows now. */
export async function addToSample(
  db: Kysely<DataTables>,
  workspaceId: string,
  seen: readonly SampledLine[],
): Promise<{ readonly before: Proxies; readonly after: Proxies }> {
  const known = await readLineSample(db, workspaceId);
  const before = findProxies(known);
  const joined = joinSamples(known, seen);
  const text = writeSample(joined);
  if (text === writeSample(known)) return { before, after: before };
  await writeLines(db, workspaceId, text);
  return { before, after: findProxies(joined) };
}

/** Drops the lines that were read longer ago than addresses are kept. */
export async function pruneSample(
  db: Kysely<DataTables>,
  workspaceId: string,
  { today, keepDays }: { today: number; keepDays: number },
): Promise<void> {
  const known = await readLineSample(db, workspaceId);
  const first = today - Math.max(keepDaysMin, keepDays);
  const kept = known.filter(({ readDay }) => readDay >= first);
  if (kept.length < known.length) await writeLines(db, workspaceId, writeSample(kept));
}

async function writeLines(
  db: Kysely<DataTables>,
  workspaceId: string,
  lines: string,
): Promise<void> {
  await db
    .insertInto('log_samples')
    .values({ workspace_id: workspaceId, lines })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ lines }))
    .execute();
}
