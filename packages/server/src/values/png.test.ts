import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import {
  chunk,
  end,
  header,
  pixels,
  plainPicture as plain,
  signature,
} from '../../test/browsers/png.ts';
import { plainPng } from './png.ts';

test('a PNG keeps its critical chunks, and loses every other chunk and what follows its end', () => {
  const place = chunk('eXIf', Buffer.from('52.5200 N, 13.4050 E'));
  const note = chunk('tEXt', Buffer.from('Author\0somebody'));
  const file = Buffer.concat([
    signature,
    header(),
    place,
    pixels,
    note,
    end,
    Buffer.from('<svg/>'),
  ]);
  expect(plainPng(file)).toEqual(plain);
  expect(plainPng(plain)).toEqual(plain);
});

test.each([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['nothing', Buffer.alloc(0)],
  ['a PNG without pixels', Buffer.concat([signature, header(), end])],
  ['a PNG without an end', Buffer.concat([signature, header(), pixels])],
  ['a PNG with two headers', Buffer.concat([signature, header(), header(), pixels, end])],
  [
    'a PNG with an unknown critical chunk',
    Buffer.concat([signature, header(), chunk('XXXX', Buffer.alloc(1)), pixels, end]),
  ],
  ['a PNG of 4,097 pixels', Buffer.concat([signature, header(4097, 1), pixels, end])],
  ['a PNG of no height', Buffer.concat([signature, header(1, 0), pixels, end])],
  [
    'a length beyond the file',
    Buffer.concat([signature, header(), Buffer.from('ffffffff49444154', 'hex')]),
  ],
])('%s is no picture', (_, file) => {
  expect(plainPng(file)).toBeUndefined();
});

test('a PNG with any changed or missing byte before its end is refused', () => {
  fc.assert(
    fc.property(fc.nat({ max: plain.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(plain);
      changed[at] = (changed[at] ?? 0) ^ by;
      expect(plainPng(changed)).toBeUndefined();
      expect(plainPng(plain.subarray(0, at))).toBeUndefined();
    }),
    { numRuns: cases(300) },
  );
});
