import { afterEach, expect, test, vi } from 'vitest';
import { Failure } from '@overheard/tools';
import { withRetries } from './retry.ts';
import type { Timing } from './retry.ts';

const start = 1000;

/** A clock that only waits and attempts move on. Like a real one, it has fractions of milliseconds. */
function createTime(random: number) {
  const time = { at: start, waits: Array.of<number>() };
  const timing: Timing = {
    now: () => time.at,
    random: () => random,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      time.at += milliseconds + 0.3;
      time.waits.push(milliseconds);
    },
  };
  return { time, timing };
}

const { signal } = new AbortController();
afterEach(() => vi.restoreAllMocks());

test.each([
  ['a refusal at once', 'refused_connection', 0, undefined],
  ['attempts that all take all of their time', 'timed_out', Infinity, undefined],
  ['a server that asks for 10 s each time', 'server_failed', 100, 10],
  ['a quota that asks for 10 s each time', 'quota_spent', 100, 10],
] as const)(
  '%s: at most two retries, and under 30 s in all',
  async (_title, code, attemptMs, waitSeconds) => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    for (const random of [0, 0.5, 1]) {
      const { time, timing } = createTime(random);
      let attempts = 0;
      const attempt = async (): Promise<never> => {
        attempts++;
        // An attempt ends at the latest when its signal aborts.
        time.at += Math.min(attemptMs, timeout.mock.lastCall?.[0] ?? Infinity);
        throw new Failure(code, { waitSeconds });
      };
      await expect(withRetries(attempt, { signal, timing })).rejects.toThrow(code);
      expect(attempts).toBeGreaterThan(1);
      expect(attempts).toBeLessThanOrEqual(3);
      expect(time.at - start).toBeLessThan(30_000);
    }
  },
);

test('an attempt that stays silent is aborted as its time is up, the last one with the whole call', async () => {
  const timing: Timing = {
    now: () => performance.now(),
    random: () => 0,
    sleep: async () => {},
  };
  let attempts = 0;
  const attempt = (until: AbortSignal): Promise<never> => {
    attempts++;
    return new Promise((_resolve, reject) => {
      until.addEventListener('abort', () => reject(new Failure('timed_out')), { once: true });
    });
  };
  const limits = { retriesMax: 2, waitSecondsMax: 10, attemptMs: 20, totalMs: 600_000 };
  await expect(withRetries(attempt, { signal, timing, limits })).rejects.toThrow('timed_out');
  expect(attempts).toBe(3);
  const short = { ...limits, attemptMs: 600_000, totalMs: 20 };
  await expect(withRetries(attempt, { signal, timing, limits: short })).rejects.toThrow(
    'timed_out',
  );
  expect(attempts).toBe(4);
});

test.each(['refused_key', 'unresolved', 'tls_failed', 'unknown_shape', 'refused_request'] as const)(
  '%s is not tried again: it would be the same',
  async (code) => {
    const { time, timing } = createTime(0.5);
    const attempt = async (): Promise<never> => {
      throw new Failure(code);
    };
    await expect(withRetries(attempt, { signal, timing })).rejects.toThrow(code);
    expect(time.waits).toEqual([]);
  },
);

test('a wait of more than 10 s is reported, not waited for', async () => {
  const { time, timing } = createTime(0.5);
  const attempt = async (): Promise<never> => {
    throw new Failure('quota_spent', { waitSeconds: 11 });
  };
  await expect(withRetries(attempt, { signal, timing })).rejects.toThrow('quota_spent');
  expect(time.waits).toEqual([]);
});

test('a call that is cancelled while it waits ends with the reason of the cancellation', async () => {
  const cancel = new AbortController();
  const { timing } = createTime(0.5);
  const attempt = async (): Promise<never> => {
    cancel.abort(new Error('enough'));
    throw new Failure('refused_connection');
  };
  await expect(withRetries(attempt, { signal: cancel.signal, timing })).rejects.toThrow('enough');
});
