import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from './split-lines.ts';

const lineBytesMax = 65_536;

const log = fc
  .array(fc.constantFrom('a', '', '\\', '\r', '\0', 'é', 'usual', 'x'.repeat(lineBytesMax), 'y'), {
    maxLength: 12,
  })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.array(fc.boolean(), { maxLength: 12 })))
  .map(([parts, ends]) =>
    Buffer.from(parts.map((part, at) => `${part}${ends[at] === true ? '\n' : ''}`).join('')),
  );

test('bytes in chunks of any size give the lines of the whole', () => {
  fc.assert(
    fc.property(log, fc.array(fc.nat(200_000), { maxLength: 5 }), (bytes, cuts) => {
      const given: string[] = [];
      const splitter = createLineSplitter({
        onLine: (line) => given.push(line),
        onLongLine: (beginning) => given.push(`long ${beginning}`),
      });
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
        (left, right) => left - right,
      );
      // Like reading a log: the next read overwrites the buffer.
      const buffer = Buffer.alloc(bytes.length);
      for (const [index, start] of places.slice(0, -1).entries()) {
        const length = bytes.copy(buffer, 0, start, places[index + 1]);
        splitter.push(buffer.subarray(0, length));
      }
      const wholeBytes = bytes.lastIndexOf('\n') + 1;
      expect(splitter.wholeBytes).toBe(wholeBytes);
      expect(splitter.restBytes).toBe(bytes.length - wholeBytes);
      splitter.finish();
      const text = bytes.toString();
      const lines = text.split('\n');
      expect(given).toEqual((lines.at(-1) === '' ? lines.slice(0, -1) : lines).map(expected));
    }),
  );
});

function expected(line: string): string {
  const isTooLong = Buffer.byteLength(line) > lineBytesMax;
  return isTooLong
    ? `long ${Buffer.from(line).toString('utf8', 0, 1024)}`
    : line.replace(/\r$/, '');
}
