import { expect, test } from 'vitest';
import { scores } from '@overheard/contract';
import { readProblem } from './read-problem.ts';

test('a problem document that is too long says nothing, and is not read to its end', async () => {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  const asked = { megabytes: 0, isCancelled: false };
  const endless = new ReadableStream({
    pull(controller) {
      asked.megabytes++;
      controller.enqueue(megabyte);
    },
    cancel() {
      asked.isCancelled = true;
    },
  });
  expect(await readProblem(new Response(endless), scores)).toEqual({});
  expect(asked).toMatchObject({ isCancelled: true });
  expect(asked.megabytes).toBeLessThan(5);
});
