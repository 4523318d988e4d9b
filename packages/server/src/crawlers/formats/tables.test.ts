import { describe, expect, test } from 'vitest';
import { createReader, outcomeOf, read } from '../../../test/logs/line-reading.ts';
import { at } from '../../../test/logs/log-lines.ts';

describe('W3C extended', () => {
  test('a log of IIS is read by its #Fields', () => {
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

  test('a log of CloudFront is read with its encoded values', () => {
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

  test('a W3C log without its #Fields is skipped with that reason', () => {
    expect(read('2026-11-20 12:34:56 10.0.0.1 GET /a - 443 - 192.0.2.7 GPTBot/1.3 - 200')).toEqual({
      kind: 'skipped',
      reason: 'no_fields',
    });
  });
});

describe('CSV', () => {
  test.each([
    [
      'time,client_ip,method,host,path,status,user_agent',
      '2026-11-20T12:34:56Z,192.0.2.7,GET,example.com,/a,200,"Mozilla/5.0 (KHTML, like ""Gecko""; GPTBot/1.3)"',
      'Mozilla/5.0 (KHTML, like "Gecko"; GPTBot/1.3)',
    ],
    [
      '"User Agent";"Client IP";"Date";"Time";"Request Method";"URL";"Status Code"',
      '"GPTBot/1.3";"192.0.2.7";"2026-11-20";"12:34:56";"GET";"https://example.com/a";"200"',
      'GPTBot/1.3',
    ],
    [
      '"time_micros","c_ip","c_ip_type","cs_method","cs_uri","sc_status","cs_host","cs_user_agent"',
      '"1795178096000000","192.0.2.7","1","GET","/a","200","example.com","GPTBot/1.3"',
      'GPTBot/1.3',
    ],
  ])('CSV with the header %s is read by it', (header, row, userAgent) => {
    const reader = createReader();
    expect(outcomeOf(reader, header)).toEqual({ kind: 'skipped', reason: 'blank' });
    expect(reader.directive).toBe(header);
    expect(outcomeOf(reader, row)).toMatchObject({
      kind: 'hit',
      line: {
        atMs: Date.parse(at),
        address: '192.0.2.7',
        host: 'example.com',
        target: '/a',
        status: 200,
        userAgent,
      },
    });
  });

  test('CSV that is read on from its middle has the columns of its header', () => {
    const reader = createReader();
    reader.readDirective('time,ip,method,path,user_agent');
    expect(outcomeOf(reader, '2026-11-20T12:34:56Z,192.0.2.7,GET,/a,GPTBot/1.3').kind).toBe('hit');
  });
});
