import { describe, expect, test } from 'vitest';
import { createReader, outcomeOf, read } from '../../../test/line-reading.ts';
import { at } from '../../../test/log-lines.ts';

describe('W3C extended', () => {
  test('of IIS is read by its #Fields', () => {
    const reader = createReader();
    outcomeOf(reader, '#Software: Microsoft Internet Information Services 10.0');
    outcomeOf(
      reader,
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status time-taken cs-host',
    );
    const outcome = outcomeOf(
      reader,
      '2026-11-20 12:34:56 10.0.0.1 GET /a b=c 443 - 192.0.2.7 Mozilla/5.0+(compatible;+GPTBot/1.3) - 200 15 example.com',
    );
    expect(outcome).toMatchObject({
      kind: 'hit',
      line: {
        atMs: Date.parse(at),
        target: '/a?b=c',
        address: '192.0.2.7',
        host: 'example.com',
        userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.3)',
      },
    });
  });

  test('of CloudFront is read with its encoded values', () => {
    const reader = createReader();
    outcomeOf(reader, '#Version: 1.0');
    outcomeOf(
      reader,
      '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query x-host-header',
    );
    const row = [
      '2026-11-20',
      '12:34:56',
      'FRA2',
      '1045',
      '192.0.2.7',
      'GET',
      'd111.cloudfront.net',
      '/a',
      '200',
      '-',
      'Mozilla/5.0%20(compatible;%2520GPTBot/1.3)',
      '-',
      'example.com',
    ].join('\t');
    expect(outcomeOf(reader, row)).toMatchObject({
      kind: 'hit',
      line: {
        host: 'example.com',
        userAgent: 'Mozilla/5.0 (compatible; GPTBot/1.3)',
        target: '/a',
      },
    });
  });

  test('of IIS and CloudFront has the user agent as it was sent, with what either encodes', () => {
    for (const [separator, written, sent] of [
      [' ', 'Shop%20App/1+(GPTBot/1.3)', 'Shop%20App/1 (GPTBot/1.3)'],
      ['\t', 'GPTBot/1.3+x', 'GPTBot/1.3+x'],
      ['\t', 'GPTBot/1.3%20+x%2520%25', 'GPTBot/1.3 +x %'],
    ] as const) {
      const reader = createReader();
      outcomeOf(reader, '#Fields: date time cs(User-Agent) cs-method cs-uri-stem');
      const row = ['2026-11-20', '12:34:56', written, 'GET', '/'].join(separator);
      expect(outcomeOf(reader, row)).toMatchObject({ line: { userAgent: sent } });
    }
  });

  test('without its #Fields is skipped with that reason', () => {
    expect(read('2026-11-20 12:34:56 10.0.0.1 GET /a - 443 - 192.0.2.7 GPTBot/1.3 - 200')).toEqual({
      kind: 'skipped',
      reason: 'no_fields',
    });
  });
});
