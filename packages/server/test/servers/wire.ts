/**
 * The API on a real socket, for requests that no HTTP client would send: `onTheWire()` makes a
 * workspace with two actions, and gives what sends to it.
 */
import { isProblemCode } from '@overheard/contract';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { newTenant, nowMs, startApi } from './api.ts';
import type { Api } from './api.ts';
import { exchange } from './raw-socket.ts';
import type { RawAnswer } from './raw-socket.ts';
import { anAction, writeRows } from '../stores/rows.ts';

/** Parts of a request; what is left out is as it should be. */
export interface SentParts {
  readonly method?: string;
  readonly target?: string;
  readonly version?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** One workspace behind real sockets; opened before the tests of a file, closed after them. */
export interface Wire {
  readonly key: () => string;
  readonly listen: (options?: {
    quota?: number;
    trustProxy?: readonly string[];
  }) => Promise<{ api: Api; port: number }>;
  /** A request's bytes, with one `Host` and one `Authorization` line unless it says otherwise. */
  readonly bytesOf: (sent: SentParts) => string;
  /** Every answer is whole, ours, and has its one line in the log, which is one line. */
  readonly answersTo: (
    bytes: string | Uint8Array,
    options?: { isHalfClosed?: boolean },
  ) => Promise<RawAnswer[]>;
}

/** Statuses, and codes of problems. */
export function outcomes(answers: readonly RawAnswer[]): unknown[] {
  return answers.map(({ status, body }) => (status < 400 ? status : JSON.parse(body).code));
}

/** To be called once in a test file. */
export function onTheWire(): Wire {
  let store: Store;
  let key = '';

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    store = await openStore(`file:${join(folder, 'test.db')}`, { mayCreate: true });
    const tenant = await newTenant(store);
    key = tenant.key;
    await writeRows(store, tenant.workspaceId, {
      actions: [anAction({ status: 'open' }), anAction({ status: 'done' })],
    });
    return async () => {
      await store.close();
      await rm(folder, { recursive: true });
    };
  });

  return { key: () => key, listen, bytesOf, answersTo };

  function bytesOf({
    method = 'GET',
    target = '/api/v1/actions',
    version = 'HTTP/1.1',
    headers = [],
    body = '',
  }: SentParts): string {
    const lines = [
      `${method} ${target} ${version}`,
      'Host: x',
      `Authorization: Bearer ${key}`,
      ...headers,
    ];
    return `${lines.join('\r\n')}\r\n\r\n${body}`;
  }

  async function listen({
    quota = 0,
    trustProxy = [],
  }: { quota?: number; trustProxy?: readonly string[] } = {}): Promise<{
    api: Api;
    port: number;
  }> {
    const api = await startApi(store, { quota, trustProxy, clock: () => nowMs });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const address = api.app.server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    return { api, port: address.port };
  }

  async function answersTo(
    bytes: string | Uint8Array,
    options: { isHalfClosed?: boolean } = {},
  ): Promise<RawAnswer[]> {
    const { api, port } = await listen();
    const answers = await exchange(port, bytes, options);
    for (const { status, headers, body } of answers) {
      expect(status).not.toBe(500);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      if (status < 400) continue;
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
      const problem: { code: string; request_id: string } = JSON.parse(body);
      expect(problem.request_id).toBe(headers['x-request-id']);
      expect(isProblemCode(problem.code)).toBe(true);
    }
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    // The line follows the last byte: it may come a moment after the connection's end.
    await expect.poll(() => api.lines().map((line) => line['request_id'])).toEqual(ids);
    // oxlint-disable-next-line no-control-regex
    expect(api.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(api.text()).not.toContain(key);
    return answers;
  }
}
