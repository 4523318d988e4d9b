import { describe, expect, test } from 'vitest';
import { read } from '../../../test/logs/line-reading.ts';
import { agent } from '../../../test/logs/log-lines.ts';
import { glanceAtNcsa, parseNcsa } from './ncsa.ts';

describe('NCSA', () => {
  const rest = ` - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}"`;

  test.each([
    ['192.0.2.7', '192.0.2.7', null, null],
    ['[2001:db8::7]', '[2001:db8::7]', null, null],
    ['a_b.example:80 2001:db8::7', '2001:db8::7', 'a_b.example', null],
    ['192.0.2.9 192.0.2.7', '192.0.2.7', null, '192.0.2.9'],
    ['crawl-1.example.com', null, null, null],
    ['198.51.100.4, 10.0.0.9', null, null, '198.51.100.4, 10.0.0.9'],
  ])('an NCSA line behind %s is read', (before, address, host, forwardedFor) => {
    expect(read(before + rest)).toMatchObject({ line: { address, host, forwardedFor } });
  });

  test.each([
    ['www.example.com', 'www.example.com'],
    ['"-" example.com', 'example.com'],
    // A client can send X-Forwarded-For: www.google.com.
    ['"www.google.com"', null],
    ['"198.51.100.4" example.com', 'example.com'],
    ['upstream.php-fpm.sock', null],
    ['web1.prod.internal:8080', null],
    ['HIT', null],
    ['a.example b.example', null],
  ])('an NCSA line before %s has the site only if clients can reach it', (after, host) => {
    expect(read(`192.0.2.7${rest} ${after}`)).toMatchObject({ line: { host } });
  });

  test.each([
    ' 192.0.2.7',
    'INFO access 192.0.2.7',
    '2026-11-20T12:34:57Z stdout P 192.0.2.7',
    // The first line of a file may be cut off.
    '2.7',
  ])('an NCSA line behind %s is skipped, because its address is ambiguous', (before) => {
    expect(read(before + rest)).toEqual({ kind: 'skipped', reason: 'unknown_format' });
  });

  test.each([
    ['', ''],
    ['www.example.com ', ''],
    ['198.51.100.4 ', ''],
    ['', ' "198.51.100.4" example.com'],
    ['', ' "198.51.100.4" "www.google.com"'],
  ])('a glance at a line behind "%s" and before "%s" reads what parsing reads', (before, after) => {
    for (const request of ['/a?b=1#c HTTP/1.1', '/a b', '/', '/?x= HTTP/2.0 HTTP/1.1']) {
      for (const status of ['200', '403', '-']) {
        const person = '" "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0"';
        const start = '192.0.2.7 - - [20/Nov/2026:12:34:00 +0000]';
        const text = `${before}${start} "GET ${request}" ${status} 5 "-${person}${after}`;
        const parsed = parseNcsa(text);
        if (typeof parsed !== 'object') throw new TypeError('The line is not parsed');
        const { atMs, address, host, target } = parsed;
        expect(glanceAtNcsa(text)?.address).toBe(address);
        expect(read(text)).toMatchObject({
          kind: 'visitor',
          line: { atMs, address, host, target, status: parsed.status },
        });
      }
    }
  });
});
