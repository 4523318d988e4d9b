import { expect, test } from 'vitest';
import { read } from '../../../test/logs/line-reading.ts';
import { itemsOf } from './json-format.ts';

const item = '{"a":"b, ]"}';

test.each([
  [`[${item},${item}]`, [item, item]],
  [` [ ${item} ] `, [item]],
  [`{"records":[${item},${item}]}`, [item, item]],
  [`{"Records": [${item}]}`, [item]],
  // An array that is written over several lines.
  ['[', ['']],
  [`${item},`, [item]],
  [`[${item},`, [item]],
  [`${item}]`, [item]],
  ['],', ['']],
])('%s holds the objects of an array', (line, items) => {
  expect(itemsOf(line)).toEqual(items);
});

test('nanoseconds in an array keep all their digits', () => {
  expect(itemsOf('[{"ns":1795178096123999999,"text":": 1795178096123999999,"}]')).toEqual([
    '{"ns":"1795178096123999999","text":": 1795178096123999999,"}',
  ]);
});

test.each([
  item,
  '[20/Nov/2026:12:34:56 +0000] - 200 200 - GET https example.com "/" [Client 192.0.2.7]',
  '[pod/web-7d4b9/nginx] x',
  '{"records":[',
  '',
])('%s is one line', (line) => {
  expect(itemsOf(line)).toBeUndefined();
});

const spaced = 'Mozilla/5.0 AppleWebKit/537.36 (compatible; GPTBot/1.3)';

test.each([
  [spaced, { kind: 'hit', line: { userAgent: spaced } }],
  ['FreshRSS/1.24.0 (Linux; https://freshrss.org) like Googlebot', { kind: 'other' }],
])('the user agent %s is read with plus signs for its spaces', (agent, outcome) => {
  const request = { time: '2026-11-20T12:34:56Z', method: 'GET', path: '/' };
  const line = JSON.stringify({ ...request, user_agent: agent.replaceAll(' ', '+') });
  expect(read(line)).toMatchObject(outcome);
});
