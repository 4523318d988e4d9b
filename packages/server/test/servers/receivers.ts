/** Receivers of log lines in a test: a server with a spool, and requests to it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { addReceiver } from '../../src/access/receivers.ts';
import { settleDays } from '../../src/crawlers/hits/settle-days.ts';
import { readSpool } from '../../src/crawlers/spool/read-spool.ts';
import { createSpool, listSpool } from '../../src/crawlers/spool/spool.ts';
import type { Store } from '../../src/storage/store.ts';
import type { ReceiverHost } from '../../src/storage/tables/key-tables.ts';
import type { Sent } from '../logs/drain-requests.ts';
import { newTenant, nowMs, startApi } from './api.ts';
import type { Tenant } from './api.ts';

const clock = () => nowMs;

/** A server with a spool, and what one of its receivers does. */
export async function serve(
  store: Store,
  { bytesMax = 1_000_000, ...more }: { bytesMax?: number } & Parameters<typeof startApi>[1] = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-spool-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spool = createSpool({ folder: join(folder, 'spool'), bytesMax, clock });
  const api = await startApi(store, { clock, spool, trustProxy: ['127.0.0.1'], ...more });
  const tenant = await newTenant(store, { clock });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  return { ...api, url, folder: join(folder, 'spool'), tenant };
}

type Served = Awaited<ReturnType<typeof serve>>;

export async function receiverOf(
  store: Store,
  { workspaceId }: Tenant,
  host: ReceiverHost = 'other',
) {
  const site = host === 'other' ? 'www.acme.com' : null;
  return addReceiver(store, { workspaceId, host, site, clock });
}

export async function post(
  { url }: Pick<Served, 'url'>,
  token: string,
  body: string | Buffer,
  { headers = {}, address = '192.0.2.50' }: Sent & { address?: string } = {},
) {
  const response = await fetch(`${url}/ingest/${token}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: { 'x-forwarded-for': address, ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Reads the spool until `isOver`. Returns what failed. */
export async function readUntil(
  store: Store,
  folder: string,
  isOver: (failures: readonly unknown[]) => Promise<boolean>,
  now = clock,
): Promise<readonly unknown[]> {
  const stop = new AbortController();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const reading = readSpool(store, folder, { clock: now, signal: stop.signal, onFailure });
  while (!(await isOver(failures))) {
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  stop.abort();
  await reading;
  return failures;
}

/** Reads the spool until it is empty. */
export async function drainSpool(store: Store, folder: string): Promise<void> {
  const failures = await readUntil(
    store,
    folder,
    async ({ length }) => length > 0 || (await listSpool(folder)).length === 0,
  );
  expect(failures).toEqual([]);
}

/** The hits of a workspace, without what each workspace draws for itself. */
export async function hitsOf(store: Store, { workspaceId }: Pick<Tenant, 'workspaceId'>) {
  await settleDays(store, workspaceId);
  const rows = await store.writer
    .selectFrom('hits')
    .select(['bot_name', 'host', 'address', 'path', 'method', 'status', 'verification', 'hit_at'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
