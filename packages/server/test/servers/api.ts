/**
 * The API in a test: `startApi` builds it on a store with everything injected; `newTenant` makes a
 * workspace with a key; `call` sends a request through the front door without a socket.
 */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { quota as contractQuota } from '@overheard/contract';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import { createKey } from '../../src/access/keys.ts';
import { buildApp } from '../../src/api/app.ts';
import { buildReachApp } from '../../src/reach/app.ts';
import { readReportBody } from '../../src/api/read-report-body.ts';
import type {
  ApiDependencies,
  FoundBody,
  ReportBodyQuery,
} from '../../src/api/service/dependencies.ts';
import type { Store } from '../../src/storage/store.ts';
import type { Spool } from '../../src/crawlers/spool/spool.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';

/** The moment at which tests take place unless they say another. */
export const nowMs = Date.parse('2026-11-20T12:34:56.789Z');

export const publicUrl = 'https://api.example.com';

/** A line of the server's log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

/** An app and what it has logged. */
export interface Api {
  readonly app: FastifyInstance;
  /** The lines, as they were written. */
  readonly text: () => string;
  readonly lines: () => LogLine[];
}

/** Builds the app on a store, with the tools at an address; it is closed after the test. */
export async function startApi(
  store: Store,
  {
    connectors = 'documents',
    spool,
    ...dependencies
  }: Partial<Omit<ApiDependencies, 'store'>> & { connectors?: string; spool?: Spool } = {},
): Promise<Api> {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const all: ApiDependencies = {
    store,
    log: pino({ base: null }, stream),
    clock: () => nowMs,
    publicUrl: () => publicUrl,
    quota: contractQuota.requests,
    cacheBytes: 8 * 1024 * 1024,
    trustProxy: [],
    isDraining: () => false,
    readReport: (query) => readReportHere(store, query),
    ...dependencies,
  };
  const app = await buildApp({
    ...all,
    programs: (parts) => buildReachApp({ ...all, connectors, spool }, parts),
  });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const text = () => chunks.join('');
  return { app, text, lines: () => parseLines(text()) };
}

/** Reads a report in this thread. */
async function readReportHere(store: Store, query: ReportBodyQuery): Promise<FoundBody> {
  const { workspaceId } = query;
  const { db, release } = await store.snapshot({ workspaceId, isBrief: true });
  try {
    return await readReportBody(db, query);
  } finally {
    await release();
  }
}

/** Parses a log; throws if a line is not JSON. */
export function parseLines(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A workspace of its own, with a key. */
export interface Tenant {
  readonly workspaceId: string;
  readonly slug: string;
  readonly key: string;
  readonly keyId: string;
}

/** Makes a workspace and a key of it. */
export async function newTenant(
  store: Store,
  { clock = () => nowMs, expiresAt }: { clock?: () => number; expiresAt?: string } = {},
): Promise<Tenant> {
  const slug = `tenant-${randomUUID().slice(0, 8)}`;
  const { id } = await createWorkspace(store, {
    slug,
    name: slug,
    brand: { name: `Brand of ${slug}` },
    clock,
  });
  const { key, record } = await createKey(store, {
    workspaceId: id,
    name: 'test',
    clock,
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return { workspaceId: id, slug, key, keyId: record.id };
}

interface CallOptions {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

/** Sends a request through the app without a socket. The response's body is as it was sent. */
export function call(
  { app }: Pick<Api, 'app'>,
  url: string,
  { key, method = 'GET', headers = {}, address = '127.0.0.1' }: CallOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    url,
    method,
    remoteAddress: address,
    headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
  });
}

/** Sends a request and returns the parsed body of a 200. Fails for any other response. */
export async function read(
  api: Pick<Api, 'app'>,
  url: string,
  key: string,
): Promise<Readonly<Record<string, Array<Record<string, unknown>>>>> {
  const response = await call(api, url, { key });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}
