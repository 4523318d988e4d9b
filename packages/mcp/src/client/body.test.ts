import { expect, test } from 'vitest';
import { scores } from '@overheard/contract';
import { readJson, readProblem } from './body.ts';
import { failureText, Failure } from '../failure.ts';

const address = 'http://127.0.0.1:8484';

/** A body that never ends, and how much of it was asked for. */
function endless() {
  const megabyte = new Uint8Array(1024 * 1024).fill(0x20);
  const asked = { megabytes: 0, isCancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      asked.megabytes++;
      controller.enqueue(megabyte);
    },
    cancel() {
      asked.isCancelled = true;
    },
  });
  return { asked, response: new Response(body) };
}

test('a body that is larger than anything that we can use is not read to its end', async () => {
  const { asked, response } = endless();
  const failure: unknown = await readJson(response, address).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failureText(failure instanceof Failure ? failure : new Failure('unexpected'))).toMatch(
    /too large[^]*more than 12 MB/,
  );
  expect(asked).toMatchObject({ isCancelled: true });
  expect(asked.megabytes).toBeLessThan(16);
});

test('a problem document that is too long says nothing, and is not read to its end', async () => {
  const { asked, response } = endless();
  expect(await readProblem(response, scores)).toEqual({});
  expect(asked).toMatchObject({ isCancelled: true });
  expect(asked.megabytes).toBeLessThan(5);
});
