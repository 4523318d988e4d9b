import type { Socket } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { drain } from './shared-server.ts';

test('a request may take 8 seconds to end, and is cut off within 9', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  onTestFinished(() => app.server.closeAllConnections());
  const arrived = Promise.withResolvers<Socket>();
  app.get('/', ({ socket }) => {
    arrived.resolve(socket);
    return new Promise(() => {});
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer = fetch(url).then(
    ({ status }) => status,
    () => 'cut off',
  );
  const socket = await arrived.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const drained = drain(app, { graceMs: 1000 });
  await vi.advanceTimersByTimeAsync(8000);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  await drained;
  expect(await answer).toBe('cut off');
});
