import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReader } from '../../../test/line-reading.ts';
import { agent, lines } from '../../../test/log-lines.ts';
import { writtenLine } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';
import type { LogFormat } from './format.ts';
import { createNcsaFormat } from './ncsa.ts';

const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36';
const usual = `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "-" "${browser}"`;
const samples = [
  usual,
  `#${usual}`,
  usual.slice(0, -1),
  usual.replace(browser, '-'),
  usual.replace(browser, ''),
  usual.replace(browser, agent).replace('200', '000'),
  usual.replace('192.0.2.7 - -', '999.0.2.7'),
  usual.replace(browser, agent).replace('12:34:56', '12:34:57'),
  usual.replace('GET ', ' '),
  usual.replace('" 200', '"2200'),
  usual.replace('200 2326', '200 '),
  usual.replace('GET', 'G'.repeat(32)),
  usual.replace('GET', 'G'.repeat(33)),
  ` ${usual}`,
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
      const userAgent = userAgentOf(format, line);
      if (userAgent === undefined) return;
      found++;
      expect(format.parse(line)).toMatchObject({ userAgent, signature: null });
    }),
    { numRuns: 5000 },
  );
  expect(found).toBeGreaterThan(300);
});

test('what a line is does not hang on whether it is known to be plain', () => {
  const [quick, whole] = [createReader(), createReader()];
  fc.assert(
    fc.property(broken, (line) => {
      const written = inText(line);
      const odd = { ...written, isPlain: false };
      expect(quick.read(written)).toEqual(whole.read(odd));
      expect(quick.parse(written)).toEqual(whole.parse(odd));
    }),
    { numRuns: 5000 },
  );
});

test('a line that ends anywhere is the same, although nothing follows it', () => {
  const [quick, whole] = [createReader(), createReader()];
  for (const line of [usual, usual.replace(browser, agent)]) {
    for (let length = 0; length <= line.length; length++) {
      const written = writtenLine(line.slice(0, length));
      expect(quick.read(written)).toEqual(whole.read({ ...written, isPlain: false }));
    }
  }
});

test('the usual line of a person is done with its user agent', () => {
  const format = createNcsaFormat();
  for (const line of [
    usual,
    usual.replace('GET', 'OPTIONS').replace('200 2326', '- -'),
    `example.com ${usual}`,
    `${usual} "198.51.100.4"`,
  ]) {
    expect(userAgentOf(format, line)).toBe(browser);
  }
});

/** What is found without reading the whole line. */
function userAgentOf({ plain }: LogFormat, line: string): string | undefined {
  const written = inText(line);
  return plain?.find(written) === true
    ? written.text.slice(plain.agent, plain.agentEnd)
    : undefined;
}

/** A line as it stands in a log, between others. */
function inText(line: string): WrittenLine {
  const text = `${usual}\n${line}\n${usual}\n`;
  const start = usual.length + 1;
  const { bytes } = writtenLine(text);
  return { ...writtenLine(line), text, bytes, start, end: start + line.length };
}
