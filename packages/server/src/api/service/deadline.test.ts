import { expect, onTestFinished, test } from 'vitest';
import { createDeadline } from './deadline.ts';

test('work past its deadline ends as a 503 that does not blame the database', async () => {
  const deadline = createDeadline({ deadlineMs: 1, sweepMs: 1 });
  onTestFinished(deadline.stop);
  const { promise: never } = Promise.withResolvers<void>();
  await expect(deadline.waitFor(never)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The response took too long.',
  });
});

test('a result that comes after the deadline is released', async () => {
  const deadline = createDeadline({ deadlineMs: 1, sweepMs: 1 });
  onTestFinished(deadline.stop);
  const late = Promise.withResolvers<string>();
  const released: string[] = [];
  await expect(deadline.waitFor(late.promise, (one) => released.push(one))).rejects.toMatchObject({
    code: 'unavailable',
  });
  late.resolve('snapshot');
  await expect.poll(() => released).toEqual(['snapshot']);
});
