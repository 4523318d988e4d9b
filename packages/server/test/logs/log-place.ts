import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { prepareIngest } from '../../src/crawlers/ingest/prepare-ingest.ts';
import { ingestFiles } from '../../src/crawlers/ingest/ingest.ts';
import type { IngestOptions } from '../../src/crawlers/ingest/prepare-ingest.ts';
import type { IngestSummary } from '../../src/crawlers/ingest/ingest-tally.ts';
import { countLogBots } from '../../src/reports/hits/log-bots.ts';
import { keepFileVersion, writeListContent } from '../../src/crawlers/operators/file-versions.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { tryOut } from '../../src/storage/write.ts';
import { proveSite } from './prove-site.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';

/** The clock of the tests stands still. */
export const now = Date.parse('2026-11-21T00:00:00.000Z');
const clock = (): number => now;
const agents = [
  'GPTBot/1.3',
  'Bytespider',
  'GrokBot/1.0',
  'ClaudeBot/1.0',
  'Chrome/120',
  'Google-Extended',
];

/** A line of a combined log; the second stands for a time, so many seconds after a noon. */
export function line(address: string, second: number, agent: string): string {
  const at = new Date(Date.parse('2026-11-20T12:00:00.000Z') + second * 1000).toISOString();
  return `${address} - - [20/Nov/2026:${at.slice(11, 19)} +0000] "GET /p HTTP/1.1" 200 5 "-" "${agent}"\n`;
}

/**
 * Lines of few addresses and agents, so that neighbours and repetitions occur; of very few, most lines
 * may come from one of them.
 */
export function lines(count: number, seed = 1, addresses = 11): string {
  return Array.from({ length: count }, (_, index) => {
    const mixed = (index * 7919 + seed * 104_729) % 10_007;
    return line(
      `45.9.148.${mixed % addresses}`,
      (mixed * 13) % 9000,
      agents[mixed % agents.length] ?? '',
    );
  }).join('');
}

/** Every line is one of the four. */
export function expectSum({
  lines: read,
  hitsNew,
  hitsKnown,
  otherTraffic,
  skipped,
}: Omit<IngestSummary, 'period'>): void {
  expect(hitsNew + hitsKnown + otherTraffic + skipped).toBe(read);
  expect(skipped).toBeGreaterThanOrEqual(0);
}

/** Opens a fresh SQLite store in each test. */
export function openOnSqlite(): () => Promise<{ store: Store }> {
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    const store = await openStore(`file:${join(folder, 'x.db')}`, { mayCreate: true });
    onTestFinished(async () => {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    });
    return { store };
  };
}

let places = 0;

/** Stores a list of one network that was in force for the last 30 days. */
export async function keepList(store: Store, fileId: string, network: string): Promise<void> {
  await keepFileVersion(store.writer, {
    fileId,
    content: writeListContent([network]),
    firstMs: now - 30 * 86_400_000,
    lastMs: now,
  });
}

/** A folder for logs and a workspace whose store has one list. */
export async function makePlace({ store }: { store: Store }) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-logs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { id: workspaceId } = await createWorkspace(store, {
    slug: `place-${places++}`,
    name: 'Acme',
    brand: { name: 'Acme' },
    clock,
  });
  // The same secret in every workspace, so that ids can be compared.
  await store.writer
    .insertInto('crawler_settings')
    .values({ workspace_id: workspaceId, secret: '00'.repeat(32), keep_addresses_days: 30 })
    .execute();
  await keepList(store, 'openai/gptbot', '20.171.207.0/24');
  // The tests accuse: without proof around the day nobody is.
  await proveSite(store, workspaceId);
  const prepare = (options: Partial<IngestOptions>, into = store) =>
    prepareIngest(into, {
      workspaceId,
      format: 'auto',
      clock,
      signal: new AbortController().signal,
      ...options,
    });
  const withBots = async ({ writer: db }: Store, summary: IngestSummary) => ({
    ...summary,
    bots: await countLogBots({ db, workspaceId }, summary.period ?? { from: '', to: '' }),
  });
  const rows = () =>
    store.writer
      .selectFrom('hits')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy('hit_at')
      .orderBy('address')
      .orderBy('id')
      .execute();
  return {
    store,
    workspaceId,
    folder,
    prepare,
    rows,
    write: async (name: string, content: string | Uint8Array): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    ingest: async (
      path: string,
      options: Partial<IngestOptions> = {},
      stdin = Readable.from([]),
    ) => {
      const { summary, failed } = await ingestFiles([path], await prepare(options), { stdin });
      expect(failed).toEqual([]);
      return withBots(store, summary);
    },
    /** An ingest that is rolled back. */
    tryOut: async (path: string) =>
      tryOut(store, async (tried) => {
        const context = await prepare({}, tried);
        const { summary } = await ingestFiles([path], context, { stdin: Readable.from([]) });
        return withBots(tried, summary);
      }),
    /** What the API would show of each hit, by id. */
    verdicts: async () =>
      Object.fromEntries((await rows()).map(({ id, verification }) => [id, verification])),
    /** Everything that an ingest may write. */
    everything: () =>
      Promise.all(
        (['hits', 'log_files', 'crawler_settings', 'revisions'] as const).map((table) =>
          store.writer
            .selectFrom(table)
            .selectAll()
            .where('workspace_id', '=', workspaceId)
            .execute(),
        ),
      ),
    /** Everything that an ingest may change in answers. */
    state: async () => ({
      rows: await rows(),
      revision: await store.writer
        .selectFrom('revisions')
        .select('revision')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst(),
    }),
  };
}
