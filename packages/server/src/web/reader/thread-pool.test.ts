// @module-tag slow
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createThreadPool } from './thread-pool.ts';

/**
 * Responds with the name in a request, waits while its `hold` is 0, and dies of "fatal". A `hold` of 2
 * says that the response is sent.
 */
const thread = `
  const { parentPort, workerData } = require('node:worker_threads');
  Atomics.wait(workerData, 0, 0);
  parentPort.postMessage('ready');
  parentPort.on('message', ({ name, hold }) => {
    Atomics.wait(hold, 0, 0);
    if (name === 'fatal') process.exit(1);
    parentPort.postMessage(name);
    Atomics.store(hold, 0, 2);
    Atomics.notify(hold, 0);
  });
`;

// Time passes only where a test says so.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a slow page holds up no other page, neither of its own workspace nor of another', async () => {
  const { page } = aPool();
  const slow = aHold();
  const response = page('acme', 'slow', slow);
  for (const workspace of ['acme', 'globex', 'acme', 'initech']) {
    expect(await page(workspace, 'quick')).toBe('quick');
  }
  slow.release();
  expect(await response).toBe('slow');
});

test('a slow report of the API holds up no page', async () => {
  const { page, api } = aPool();
  const slow = aHold();
  const responses = [api('acme', 'slow', slow), api('acme', 'next'), api('globex', 'other')];
  expect(await page('acme', 'page')).toBe('page');
  expect(await page('globex', 'page')).toBe('page');
  slow.release();
  expect(await Promise.all(responses)).toEqual(['slow', 'next', 'other']);
});

test.each(['page', 'api'] as const)(
  'a workspace with many requests (%s) keeps another waiting for one of them',
  async (door) => {
    const { order, ...pool } = aPool();
    const [one, two] = [aHold(), aHold()];
    const held = [pool[door]('acme', 'first', one), pool.page('acme', 'held', two)];
    const waiting = ['second', 'third', 'fourth'].map((name) => pool[door]('acme', name));
    const other = pool[door]('globex', 'other');
    one.release();
    await Promise.all([held[0], ...waiting, other]);
    expect(order).toEqual(['first', 'second', 'other', 'third', 'fourth']);
    two.release();
    await Promise.all(held);
  },
);

test('a workspace whose queue is full is refused, and another still gets its turn', async () => {
  const { page } = aPool();
  const slow = aHold();
  const held = [page('acme', 'slow', slow), page('acme', 'slow', slow)];
  const waiting = Array.from({ length: 40 }, (_, index) => page('acme', `${index}`));
  await expect(page('acme', 'too many')).rejects.toThrow('long_reads_too_many');
  const other = page('globex', 'other');
  slow.release();
  expect(await other).toBe('other');
  expect(await Promise.all([...held, ...waiting])).toHaveLength(42);
});

test('a report that takes too long is refused, and its thread is replaced', async () => {
  const { page, pool } = aPool();
  await pool.open();
  const tooLong = page('acme', 'too long', aHold()).catch((error: unknown) => error);
  await setImmediate();
  await vi.advanceTimersByTimeAsync(9000);
  expect(await tooLong).toMatchObject({ code: 'database_slow' });
  await expectTwoThreads(page);
});

test('a response that comes when its time is over gives the ending thread to no other request', async () => {
  const { page, pool } = aPool();
  await pool.open();
  const [late, held] = [aHold(), aHold()];
  const tooLate = page('acme', 'late', late).catch((error: unknown) => error);
  await setImmediate();
  await vi.advanceTimersByTimeAsync(8000);
  const other = page('acme', 'held', held);
  const next = page('acme', 'next');
  late.release();
  // This thread reads the response only after it has ended the other one.
  Atomics.wait(late.hold, 0, 1);
  vi.advanceTimersByTime(1000);
  expect(await tooLate).toMatchObject({ code: 'database_slow' });
  expect(await next).toBe('next');
  held.release();
  await other.catch(() => {});
});

test('a thread that dies is replaced', async () => {
  const { page } = aPool();
  await expect(page('acme', 'fatal')).rejects.toThrow('database_slow');
  await expectTwoThreads(page);
});

type Page = ReturnType<typeof aPool>['page'];

/** Fails to end if only one thread is there. */
async function expectTwoThreads(page: Page): Promise<void> {
  const slow = aHold();
  const response = page('acme', 'slow', slow);
  expect(await page('acme', 'quick')).toBe('quick');
  slow.release();
  expect(await response).toBe('slow');
}

/** A pool whose threads start when `started` is released; `order` has the responses. */
function aPool(started = released()) {
  const pool = createThreadPool({
    start: () => new Worker(thread, { eval: true, workerData: started.hold }),
  });
  onTestFinished(() => pool.stop());
  const order: unknown[] = [];
  const send =
    (isApi: boolean) =>
    async (workspaceId: string, name: string, { hold } = released()) => {
      const response = await pool.ask({ name, hold }, { workspaceId, isApi });
      order.push(response);
      return response;
    };
  return { pool, order, page: send(false), api: send(true) };
}

/** What a thread waits for. */
function aHold() {
  const hold = new Int32Array(new SharedArrayBuffer(4));
  const release = (): void => {
    Atomics.store(hold, 0, 1);
    Atomics.notify(hold, 0);
  };
  return { hold, release };
}

function released() {
  const free = aHold();
  free.release();
  return free;
}
