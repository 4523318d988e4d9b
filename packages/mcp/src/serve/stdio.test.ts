import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { unusedClient } from '../../test/connect.ts';
import { modernMeta } from '../../test/line-host.ts';
import { createServer } from '@overheard/tools';
import { serveOverStdio } from './stdio.ts';

test('a message of more than 10 MB ends it, and is complained about', async () => {
  const stdin = new PassThrough();
  const complaints: unknown[] = [];
  const served = serveOverStdio({
    createServer: () =>
      createServer({
        program: { name: 'test', version: '1' },
        client: unusedClient,
        onBug: () => {},
      }),
    stdin,
    stdout: new PassThrough(),
    signal: new AbortController().signal,
    onError: (error) => complaints.push(error),
  });
  stdin.write('x'.repeat(11 * 1024 * 1024));
  await expect(served).resolves.toBeUndefined();
  expect(complaints).toHaveLength(1);
});

test('a host that reads nothing more does not keep it from ending', async () => {
  const stdin = new PassThrough();
  // Accepts the first message and never calls back.
  const heard: string[] = [];
  const stdout = new Writable({ highWaterMark: 1, write: (part) => void heard.push(String(part)) });
  const stop = new AbortController();
  const onError = (): void => {};
  const served = serveOverStdio({
    createServer: () =>
      createServer({
        program: { name: 'test', version: '1' },
        client: unusedClient,
        onBug: onError,
      }),
    stdin,
    stdout,
    signal: stop.signal,
    onError,
  });
  const listen = { _meta: modernMeta, notifications: { toolsListChanged: true } };
  const requests = [
    { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: modernMeta } },
    { jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params: listen },
  ];
  for (const request of requests) stdin.write(`${JSON.stringify(request)}\n`);
  await expect.poll(() => heard.length).toBe(1);
  stop.abort();
  await expect(served).resolves.toBeUndefined();
});
