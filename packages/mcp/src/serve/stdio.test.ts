import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { unusedClient } from '../../test/connect.ts';
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
