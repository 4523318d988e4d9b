import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { decompress } from './decompress.ts';

async function* pieces(...chunks: Buffer[]) {
  yield* chunks;
}

test('a few bytes that unpack to 64 MiB are unpacked as they are taken', async () => {
  const size = 64 * 1024 * 1024;
  const packed = brotliCompressSync(Buffer.alloc(size), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
  });
  expect(packed.length).toBeLessThan(10_000);
  const before = process.memoryUsage().arrayBuffers;
  const chunks = decompress(pieces(packed), { name: 'log.br' });
  let length = 0;
  let peak = 0;
  for await (const chunk of chunks) {
    if (length === 0) peak = process.memoryUsage().arrayBuffers - before;
    length += chunk.length;
  }
  expect(length).toBe(size);
  expect(peak).toBeLessThan(16 * 1024 * 1024);
});

test('a file that is cut off gives what comes before its end, and then its refusal', async () => {
  const text = Buffer.from(Array.from({ length: 50_000 }, (_, line) => `line ${line}\n`).join(''));
  const packed = gzipSync(text);
  const chunks: Buffer[] = [];
  const reading = (async () => {
    for await (const chunk of decompress(pieces(packed.subarray(0, -2000)), { name: 'log.gz' })) {
      chunks.push(chunk);
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'file_damaged' });
  const read = Buffer.concat(chunks);
  expect(read.length).toBeGreaterThan(text.length / 2);
  expect(text.subarray(0, read.length).equals(read)).toBe(true);
});

test('bytes that are not packed pass unchanged', async () => {
  const text = Buffer.from('a line\n');
  const stream = decompress(pieces(text), { name: 'log.txt' });
  expect((await buffer(stream)).equals(text)).toBe(true);
});
