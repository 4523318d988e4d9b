import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agent, lines } from '../../../test/log-lines.ts';
import { bots } from '../bots/catalogue.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { createLineReader } from '../ingest/line-reader.ts';
import { writtenLine } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';
import { createFormats } from './all.ts';
import { createNcsaFormat } from './ncsa.ts';

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36';
const usual = `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "-" "${browser}"`;
const samples = [
  usual,
  `#${usual}`,
  usual.slice(0, -1),
  usual.replace(browser, '-'),
  usual.replace(browser, ''),
  ...lines.map(([, line]) => line.replaceAll(agent, browser)),
];

/** What a line may be broken by: its own parts, what ends or escapes them, and bytes that are no text. */
const pieces =
  String.raw`" \" \ [ ] - / { # * 200 31/Feb +0530 \x22 \x00 CONNECT GET http://a.example/ HTTP/1.1`
    .split(' ')
    .concat(
      ' ',
      '',
      '] "',
      '" "',
      '\t',
      '\r',
      '\0',
      '\u00ff',
      '\u00e2\u0080\u00a8',
      browser,
      agent,
    );

/** Lines with a few characters replaced where two parts meet, or at their ends. */
const broken = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(40), fc.nat(3), fc.constantFrom(...pieces)), { maxLength: 3 }),
  )
  .map(([line, edits]) =>
    edits.reduce((text, [joint, cut, piece]) => {
      const joints = [0, ...[...text.matchAll(/\b/g)].map(({ index }) => index), text.length];
      const place = joints[joint % joints.length] ?? 0;
      return text.slice(0, place) + piece + text.slice(place + cut);
    }, line),
  )
  .filter((line) => !line.includes('\n'));

test('a line that is done with its user agent is one that the whole reading has it of', () => {
  const format = createNcsaFormat();
  let found = 0;
  fc.assert(
    fc.property(broken, (line) => {
      const userAgent = format.userAgentOf?.(inText(line));
      if (userAgent === undefined) return;
      found++;
      expect(format.parse(line)).toMatchObject({ userAgent, signature: null });
    }),
    { numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(300);
});

test('what a line is does not hang on whether it is known to be plain', () => {
  const readers = [1, 2].map(() =>
    createLineReader(createFormats('auto'), { recognise: createRecogniser(bots) }),
  );
  fc.assert(
    fc.property(broken, (line) => {
      const [quick, whole] = readers;
      const written = inText(line);
      expect(quick?.read(written)).toEqual(whole?.read({ ...written, isPlain: false }));
    }),
    { numRuns: 5000 },
  );
});

test('the usual line of a person is done with its user agent', () => {
  const { userAgentOf } = createNcsaFormat();
  for (const line of [
    usual,
    usual.replace('GET', 'OPTIONS').replace('200 2326', '- -'),
    `example.com ${usual}`,
    `${usual} "198.51.100.4"`,
  ]) {
    expect(userAgentOf?.(inText(line))).toBe(browser);
  }
});

/** A line as it stands in a log, between others. */
function inText(line: string): WrittenLine {
  const text = `${usual}\n${line}\n${usual}\n`;
  const start = usual.length + 1;
  return { ...writtenLine(line), text, start, end: start + line.length };
}
