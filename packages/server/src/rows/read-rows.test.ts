import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { readText as read } from '../../test/answers/reading.ts';
import type { ReadTextOptions as Options } from '../../test/answers/reading.ts';
import { inWords } from '../../test/commands/in-words.ts';
import { Faults } from './fault.ts';
import { readRows } from './read-file.ts';

async function refusal(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.catch((failure: unknown) => failure);
  return error instanceof Error ? error.message : 'not refused';
}

const three = [{ a: '1' }, { a: 'é"\n,' }, { a: '🎈' }];
const inFormats = {
  ndjson: three.map((row) => JSON.stringify(row)).join('\n'),
  json: JSON.stringify(three),
  'json of the API': JSON.stringify({ scores: three }),
  'json on many lines': JSON.stringify(three, null, 2),
  csv: 'a\n1\n"é""\n,"\n🎈\n',
};

describe('the same rows come from every format', () => {
  for (const [format, content] of Object.entries(inFormats)) {
    test.each([1, 64])(
      `the same rows come from ${format} in chunks of %i bytes`,
      async (chunkBytes) => {
        const rows = await read(content, { chunkBytes, array: 'scores' });
        expect(rows.map((row) => row.value)).toEqual(three);
        expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
      },
    );
    test(`the same rows come from ${format} with a byte order mark, and packed`, async () => {
      const marked = Buffer.from(`\ufeff${content}`);
      const options = { array: 'scores' };
      const packed = [
        await read(marked, options),
        await read(gzipSync(marked), options),
        await read(
          Buffer.concat([gzipSync(marked.subarray(0, 9)), gzipSync(marked.subarray(9))]),
          options,
        ),
        await read(zstdCompressSync(marked), options),
        await read(brotliCompressSync(marked), { ...options, name: 'rows.br' }),
      ];
      for (const rows of packed) expect(rows.map((row) => row.value)).toEqual(three);
    });
  }
});

test('any JSON objects survive being cut anywhere, as lines and as an array', async () => {
  const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(
      fc.array(object),
      fc.integer({ min: 1, max: 40 }),
      async (objects, chunkBytes) => {
        const isStorable = !JSON.stringify(objects).includes('\\u0000');
        fc.pre(isStorable);
        const lines = objects.map((row) => `${JSON.stringify(row)}\r\n`).join('\n');
        const array = JSON.stringify(objects, null, 1);
        // An empty array within an object looks like the API's body, so the formats are named.
        const expected: unknown = JSON.parse(array);
        const asLines = await read(lines, { chunkBytes, format: 'ndjson' });
        const asArray = await read(array, { chunkBytes, format: 'json' });
        expect(asLines.map((row) => row.value)).toEqual(expected);
        expect(asArray.map((row) => row.value)).toEqual(expected);
        // JSON lines of strangers are any sequence of objects and arrays.
        const many = objects.map((row) => JSON.stringify(row, null, 1)).join('\n');
        for (const text of [lines, array, many, `${many}\n${array}`]) {
          const rows = await read(text, { chunkBytes, isForeign: true });
          const isTwice = text.length > many.length + array.length;
          expect(rows.map((row) => row.value)).toEqual([expected, isTwice ? expected : []].flat());
        }
      },
    ),
    { numRuns: cases(100) },
  );
});

describe('lines are those that an editor shows', () => {
  test.each(['\n', '\r\n'])(
    'CSV lines are counted with breaks %j within quotes and empty lines',
    async (feed) => {
      const content = ['a,b', '', '1,"x', 'y"', '2,z', ',', '3,"', '', '"', '4,w'].join(feed);
      const rows = await read(content, { chunkBytes: 3 });
      expect(rows.map((row) => [row.value['a'], row.line])).toEqual([
        ['1', 3],
        ['2', 5],
        ['3', 7],
        ['4', 10],
      ]);
    },
  );
  test('a row of JSON over many lines has the number of the line where it begins', async () => {
    const rows = await read('[\n\n {"a":1\n},{"a":2},\n{"a":3}]');
    expect(rows.map((row) => row.line)).toEqual([3, 4, 5]);
  });
  test('NDJSON lines are counted with empty lines', async () => {
    const rows = await read('\n{"a":1}\r\n\n{"a":2}');
    expect(rows.map((row) => row.line)).toEqual([2, 4]);
  });
});

test.each(['', '\ufeff', ' \n\n'])('no content (%j) is no row in any format', async (content) => {
  for (const format of [undefined, 'ndjson', 'json', 'csv'] as const) {
    expect(await read(content, { format })).toEqual([]);
  }
});

describe('what cannot be read is refused with its place and a way out', () => {
  const refusals: ReadonlyArray<
    readonly [what: string, content: string | Buffer, words: RegExp, options?: Options]
  > = [
    ['UTF-16', Buffer.from('\ufeffa,b\n', 'utf16le'), /UTF-16.*UTF-8/],
    ['UTF-16 without a mark', Buffer.from('a,b\n', 'utf16le'), /UTF-16/],
    ['Windows-1252', Buffer.from('a\nb\ncaf\xe9,\n', 'latin1'), /rows:3: .*UTF-8/],
    ['gzip that is cut off', gzipSync('a\n1\n').subarray(0, 15), /cannot be unpacked/],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004...'), /spreadsheet.*CSV/],
    [
      'a long line',
      `{"a":"${'x'.repeat(200)}"}`,
      /rows:1: .*at most 100 bytes/,
      { rowBytesMax: 100 },
    ],
    ['a long record', `a\n1\n${'x'.repeat(200)}`, /rows:3: .*at most 100/, { rowBytesMax: 100 }],
    ['an array that ends early', '[{"a":1},', /rows:1: .*ends within/],
    ['text after the array', '[{"a":1}]\n{}', /rows:2: .*nothing after the array, found "\{\}"/],
    [
      'a second array in the body',
      '{"scores":[],"more":[]}',
      /only "\}" after the array/,
      { array: 'scores' },
    ],
    [
      'the body of another endpoint',
      '{"hits":[]}',
      /the array "scores", found "hits"/,
      { array: 'scores', name: 'rows.json' },
    ],
    [
      'an unknown column',
      'a,statsu\n',
      /rows:1: field "statsu": expected status; there/,
      { fields: ['a', 'status'] },
    ],
    ['a repeated column', 'a,b,a\n', /field "a": expected one column/],
    ['a repeated field', '{"a":[{"a":1,"b":":"}],"a":{"x":"\\\\\\""}}', /each field once/],
    ['too few cells', 'a,b\n1\n', /rows:2: expected 2 cells.*found 1/],
    ['an unclosed quote', 'a\n1\n"2\n3\n', /rows:3: .*never closed/],
    ['a quote within a cell', 'a\n1"2"\n', /rows:2: .*double quotes/],
    ['NaN', '{"a":1,"b":NaN}', /rows:1: field "b": .*NaN is not JSON/],
    ['NaN in a list', '{"a":["x:NaN",-Infinity]}', /rows:1: field "a": .*-Infinity is not JSON/],
    [
      'a line that is not an object',
      '{"a":1}\n[1]',
      /rows:2: expected a JSON object, found "\[1\]"/,
    ],
    ['NUL', '{"a":{"b":["\\u0000"]}}', /field "a.b.0": expected text without NUL/],
    ['half a surrogate pair', '{"a":"\\ud800"}', /field "a": expected well-formed text/],
  ];
  test.each(refusals.map(([what, content, words, options]) => ({ what, content, words, options })))(
    'lines have the numbers that an editor shows: $what',
    async ({ content, words, options }) => {
      await expect(read(content, options)).rejects.toThrow(words);
    },
  );
});

test('every bad row is found, 20 are shown, and what they hold cannot act on a terminal', async () => {
  const content = Array.from({ length: 30 }, () => '"\u009b31m\u202e\\u001b[2J"').join('\n');
  const message = await refusal(read(content, { format: 'ndjson' }));
  const lines = message.split('\n');
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('... and 10 more.');
  expect(message).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
});

test('a pipe that never ends is left when the command is stopped', async () => {
  const stop = new AbortController();
  const stream = new Readable({ read: () => {} });
  stream.push('{"a":1}\n');
  const reading = (async () => {
    const source = { name: '-', stream, bytesTotal: undefined };
    for await (const _ of readRows(source, { faults: new Faults(), signal: stop.signal }));
  })();
  setTimeout(() => stop.abort('SIGINT'), 10);
  await expect(reading).rejects.toThrow('stopped');
});

test('100 MB in one line are refused without being held', async () => {
  let given = 0;
  const stream = Readable.from(
    (function* () {
      for (; given < 100; given += 1) yield Buffer.alloc(2 ** 20, 'x');
    })(),
  );
  const source = { name: 'rows.ndjson', stream, bytesTotal: undefined };
  const reading = (async () => {
    for await (const _ of readRows(source, { faults: new Faults() }));
  })();
  await expect(inWords(reading)).rejects.toThrow(/at most 32 MiB/);
  expect(given).toBeLessThan(50);
});
