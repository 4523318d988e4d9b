import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyOf, cutOut, isPlain } from '../written-line.ts';
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

test('bytes in any pieces are the lines of the whole, each with what is known of it', () => {
  fc.assert(
    fc.property(log, fc.array(fc.nat(200_000), { maxLength: 5 }), (bytes, cuts) => {
      const text = bytes.toString('latin1');
      const given: string[] = [];
      const splitter = createLineSplitter({
        onLine(line) {
          const own = cutOut(line);
          expect(copyOf(line)).toBe(own);
          expect(line.isPlain).toBe(isPlain(own));
          given.push(own);
        },
        onLongLine: (beginning) => given.push(`long ${beginning}`),
      });
      const places = [
        0,
        ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted(ascending),
        bytes.length,
      ];
      // As a log is read: what has been read is written over.
      const buffer = Buffer.alloc(bytes.length);
      for (const [index, start] of places.slice(0, -1).entries()) {
        const length = bytes.copy(buffer, 0, start, places[index + 1]);
        splitter.push(buffer.subarray(0, length));
      }
      expect(splitter.wholeBytes).toBe(text.lastIndexOf('\n') + 1);
      splitter.finish();
      const lines =
        text.endsWith('\n') || text === '' ? text.split('\n').slice(0, -1) : text.split('\n');
      expect(given).toEqual(lines.map(told));
    }),
  );
});

function told(line: string): string {
  return line.length > lineBytesMax ? `long ${line.slice(0, 200)}` : line.replace(/\r$/, '');
}

function ascending(left: number, right: number): number {
  return left - right;
}
