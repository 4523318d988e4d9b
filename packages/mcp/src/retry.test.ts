import { expect, test } from 'vitest';
import { Failure } from './failure.ts';
import { retryLimits, withRetries } from './retry.ts';
import type { Timing } from './retry.ts';

/** A clock on which only waits and attempts take time. */
function createTime(random: number) {
  const time = { at: 1000, waits: Array.of<number>() };
  const timing: Timing = {
    now: () => time.at,
    random: () => random,
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      time.at += milliseconds;
      time.waits.push(milliseconds);
    },
  };
  return { time, timing };
}

const { signal } = new AbortController();

test.each([
  ['a refusal at once', 'refused_connection', 0, undefined],
  ['attempts that all time out', 'timed_out', retryLimits.attemptMs, undefined],
  ['a server that asks for 10 s each time', 'server_failed', 100, 10],
  ['a quota that asks for 10 s each time', 'quota_spent', 100, 10],
] as const)(
  '%s: at most two retries, and under 30 s in all',
  async (_title, code, attemptMs, waitSeconds) => {
    for (const random of [0, 0.5, 1]) {
      const { time, timing } = createTime(random);
      let attempts = 0;
      const attempt = async (): Promise<never> => {
        attempts++;
        // The signal that an attempt gets aborts when the time of the whole call is over.
        time.at += Math.min(attemptMs, 1000 + retryLimits.totalMs - time.at);
        throw new Failure(code, { waitSeconds });
      };
      await expect(withRetries(attempt, { signal, timing })).rejects.toThrow(code);
      expect(attempts).toBeGreaterThan(1);
      expect(attempts).toBeLessThanOrEqual(3);
      expect(time.at - 1000).toBeLessThan(30_000);
    }
  },
);

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

test('a wait of more than 10 s is told, not waited', async () => {
  const { time, timing } = createTime(0.5);
  const attempt = async (): Promise<never> => {
    throw new Failure('quota_spent', { waitSeconds: 11 });
  };
  await expect(withRetries(attempt, { signal, timing })).rejects.toThrow('quota_spent');
  expect(time.waits).toEqual([]);
});

test('waits differ by chance and grow', async () => {
  const waits = await Promise.all(
    [0, 1].map(async (random) => {
      const { time, timing } = createTime(random);
      const attempt = async (): Promise<never> => {
        throw new Failure('broken_connection');
      };
      await expect(withRetries(attempt, { signal, timing })).rejects.toThrow('broken_connection');
      return time.waits;
    }),
  );
  expect(waits).toEqual([
    [100, 200],
    [300, 600],
  ]);
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
