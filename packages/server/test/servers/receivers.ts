/** Receivers of log lines in a test: a server with a spool, and requests to it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { addReceiver } from '../../src/access/receivers.ts';
import { createSpool } from '../../src/crawlers/spool/spool.ts';
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
