import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastCheckMs } from '../../reports/operator-lists.ts';
import type { Store } from '../../storage/store.ts';
import { dayMs } from '../../values/time/utc-day.ts';

const firstMs = 60_000;
const everyMs = 3_600_000;
const patienceMs = 600_000;
const toldMax = 1000;

/**
 * Whether to fetch operators' lists: hits are judged here, and the last fetch was more than a day
 * ago.
 */
export async function areListsDue(store: Store, nowMs: number): Promise<boolean> {
  const reader = store.reader;
  const judges = await reader
    .selectFrom('crawler_settings')
    .select('workspace_id')
    .limit(1)
    .execute();
  if (judges.length === 0) return false;
  const checkedMs = await lastCheckMs(reader);
  return checkedMs === undefined || Math.abs(nowMs - checkedMs) >= dayMs;
}

/** Looks every hour whether daily work is due, and does it, until the signal aborts. */
export async function lookHourly(
  work: () => Promise<void>,
  {
    signal,
    onFailure,
    waitMs: { first = firstMs, every = everyMs } = {},
  }: {
    signal: AbortSignal;
    onFailure: (error: unknown) => void;
    /** How long to wait before the first look, and before each other one. */
    waitMs?: { readonly first?: number; readonly every?: number };
  },
): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  await wait(first);
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      onFailure(error);
    }
    await wait(every);
  }
}

/**
 * The commands of a daily update: for operators' lists, and for the robots.txt of each site where
 * it was fetched before. A site whose robots.txt was only imported may be unreachable from here.
 */
export async function dailyCommands({
  reader,
}: Pick<Store, 'reader'>): Promise<ReadonlyArray<readonly string[]>> {
  const sites = await reader
    .selectFrom('robots_files')
    .innerJoin('workspaces', 'workspaces.id', 'robots_files.workspace_id')
    .select(['slug', 'host'])
    .distinct()
    .where('status', 'is not', null)
    .orderBy('slug')
    .orderBy('host')
    .execute();
  const fetches = Array.from(
    Map.groupBy(sites, ({ slug }) => slug),
    ([slug, hosts]) => {
      const names = hosts.map(({ host }) => host);
      return ['robots', 'fetch', '--workspace', slug, '--host', ...names];
    },
  );
  return [['ranges', 'update'], ...fetches];
}

/**
 * Runs a command of `overheard` in a separate process, because judging hits must not delay
 * requests. Passes the database as an argument only if it was an argument of this process, because
 * everybody can read arguments. Throws what the command said last if it fails.
 */
export async function runApart(
  command: readonly string[],
  {
    database,
    signal,
    timeoutMs = patienceMs,
  }: { database: string | undefined; signal: AbortSignal; timeoutMs?: number | undefined },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const words = [...command, ...(database === undefined ? [] : ['--database', database])];
  const child = spawn(process.execPath, [process.argv[1] ?? '', ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    signal,
  });
  let told = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-toldMax);
  });
  child.on('error', reject);
  child.on('close', resolve);
  const code = await promise;
  if (code === 0) return;
  throw new Error(
    `overheard ${command.join(' ')} ended with ${code ?? 'a signal'}: ${told.trim()}`,
  );
}
