// @module-tag slow
import { expect, test } from 'vitest';
import { isEverythingTested } from '../../../../../test/cases.ts';
import { createReader } from '../../../test/logs/line-reading.ts';
import { agent, lines } from '../../../test/logs/log-lines.ts';

/** Characters that `.` does not match, so that a careless pattern backtracks. */
const breaks = ['\r', '\\n', '\\r', '\u00e2\u0080\u00a8', '\u00e2\u0080\u00a9', '"', ''];
const fillers = [
  ' ',
  '[',
  ']',
  '"',
  '\\',
  '\\"',
  '" ',
  ' "',
  '[ ',
  '] "',
  ':',
  '/',
  'a',
  '.',
  '-',
  ', ',
];
const column = 'fields=time,address,method,user_agent,target';
const bytes = 40_000;

const everyHostile = fillers.flatMap((filler) => {
  const long = filler.repeat(Math.floor(bytes / filler.length));
  return breaks.flatMap((end) => [
    ncsa(`GET${long}/${end} HTTP/1.1`, agent, ''),
    ncsa(`GET http://${long}/${long}${end}/ HTTP/1.1`.slice(0, bytes), agent, ''),
    ncsa('GET / HTTP/1.1', `${long}${end} GPTBot/1.3`, ''),
    ncsa('GET / HTTP/1.1', agent, ` ${long}${end}`),
    `${long}${end}${agent}`,
    `#Fields:${long}${end}x`,
    ...['nginx-1', '[pod/', 'Nov 20 12:34:57 ', '2026-11-20T12:34:57'].map(
      (prefix) => `${prefix}${long}${end}${ncsa('GET / HTTP/1.1', agent, '')}`,
    ),
  ]);
});

const hostile = everyHostile.filter((_, place) => isEverythingTested || place % 9 === 0);

const deep = '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
const record = '"time":"2026-11-20T12:34:57Z","path":"/","method":"GET","user_agent":"GPTBot/1.3"';

test('a line of JSON with lists within lists is read, however deep they are', () => {
  for (const field of [`"x":${deep}`, `"x":${deep},"ns":1795178096123999999`]) {
    expect(createReader('auto').read(`{${field},${record}}`).kind, field.slice(-30)).toBe('hit');
  }
});

/** Each line takes milliseconds. With a pattern that backtracks, one of them takes longer than the test may. */
test.each(['auto', column])('no line of 64 KiB is slow, read as %s', (choice) => {
  const reader = createReader(choice);
  const usual = lines.map(([, line]) => line);
  for (const line of [...usual, ...hostile, ...usual]) {
    expect(reader.read(line).kind).toBeTypeOf('string');
  }
});

function ncsa(request: string, userAgent: string, after: string): string {
  return `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "${request}" 200 5 "-" "${userAgent}"${after}`;
}
