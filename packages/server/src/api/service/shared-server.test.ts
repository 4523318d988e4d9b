import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { drain } from './shared-server.ts';

test('a request that has not ended after 9 seconds is cut off', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  onTestFinished(() => app.server.closeAllConnections());
  const arrived = Promise.withResolvers<void>();
  app.get('/', () => {
    arrived.resolve();
    return new Promise(() => {});
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const answer = fetch(url).then(
    ({ status }) => status,
    () => 'cut off',
  );
  await arrived.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const drained = drain(app, { graceMs: 1000 });
  await vi.advanceTimersByTimeAsync(9000);
  await drained;
  expect(await answer).toBe('cut off');
});
