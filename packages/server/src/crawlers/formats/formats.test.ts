import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { agent, at, lines } from '../../../test/logs/log-lines.ts';
import { createReader, outcomeOf, read } from '../../../test/logs/line-reading.ts';
import { Refusal } from '../../refusals.ts';
import { createFormats, formatNames } from './file-formats.ts';

describe('a line of each format is read, and recognised by itself', () => {
  test.each(lines)(
    'a line of each format is read, and recognised by itself: %s',
    (_title, line, expected) => {
      const outcome = read(line);
      expect(outcome).toMatchObject({
        kind: 'hit',
        bot: { token: 'GPTBot' },
        line: { ...expected, atMs: Date.parse(at) },
      });
    },
  );

  test('lines of every format are read in one file', () => {
    const reader = createReader();
    for (const [title, line] of [...lines, ...lines.toReversed()]) {
      expect(outcomeOf(reader, line).kind, title).toBe('hit');
    }
  });

  test('a line behind a byte order mark is read', () => {
    for (const [title, line] of lines) {
      expect(read(`\ufeff${line}`), title).toEqual(read(line));
    }
    const reader = createReader();
    outcomeOf(reader, '\ufeff#Fields: date time cs(User-Agent) cs-method cs-uri-stem');
    expect(outcomeOf(reader, '2026-11-20 12:34:56 GPTBot/1.3 GET /').kind).toBe('hit');
  });

  test('the page that the visitor came from is read, wherever the format has it', () => {
    const referer = 'https://claude.ai/';
    const places = [
      [`"-" "${agent}"`, `"${referer}" "${agent}"`],
      [`"${agent}" "-"`, `"${agent}" "${referer}"`],
      [`${agent.replaceAll(' ', '%20')}\t-\t`, `${agent.replaceAll(' ', '%20')}\t${referer}\t`],
      ['|-|https', `|${referer}|https`],
      ['|https://x.example/|', `|${referer}|`],
      ['referer:-', `referer:${referer}`],
      ['"cs(Referer)":"-"', `"cs(Referer)":"${referer}"`],
    ] as const;
    const told = lines.flatMap(([title, line]) => {
      const place = places.find(([without]) => line.includes(without));
      if (place === undefined) return [];
      expect(read(line.replace(place[0], place[1])), title).toMatchObject({ line: { referer } });
      return title;
    });
    expect(told.length).toBeGreaterThan(19);
    const request = { uri: '/a', method: 'GET', host: 'a.example' };
    const json = [
      {
        request: { ...request, headers: { 'User-Agent': [agent], Referer: [referer] } },
        ts: 1795176000.5,
        status: 200,
      },
      {
        ClientRequestUserAgent: agent,
        EdgeStartTimestamp: at,
        ClientRequestURI: '/b',
        ClientRequestMethod: 'GET',
        ClientRequestReferer: referer,
      },
      {
        time_iso8601: at,
        http_user_agent: agent,
        remote_addr: '203.0.113.9',
        request: 'GET /c HTTP/1.1',
        http_referer: referer,
      },
    ];
    for (const object of json) {
      expect(read(JSON.stringify(object))).toMatchObject({ line: { referer } });
    }
  });

  test('a line inside a container’s or syslog’s line is read', () => {
    const wrappings = [
      '2026-11-20T12:34:57.123456789Z stdout F LINE',
      '2026-11-20T12:34:57.123456789Z LINE',
      'nginx-1  | LINE',
      'nginx-1  | 2026-11-20T12:34:57.123456789Z LINE',
      '[pod/web-7d4b9/nginx] LINE',
      'Nov 20 12:34:57 web1 nginx: LINE',
      '<190>Nov  2 12:34:57 10.0.0.1 nginx[77]: LINE',
      '2026-11-20T12:34:57.123456+00:00 10.0.0.1 nginx: LINE',
      '<190>1 2026-11-20T12:34:57Z 10.0.0.1 nginx 77 - - LINE',
      '<165>1 2026-11-20T12:34:57Z cdn log - ID47 [sd@32473 iut="3"] LINE',
      '<134>Nov 20 12:34:57 haproxy[14389]: LINE',
    ];
    const reader = createReader();
    // Amazon's balancers write files of their own.
    for (const [title, line] of lines.filter(([name]) => !name.startsWith('AWS'))) {
      const docker = JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: at });
      for (const text of [docker, ...wrappings.map((each) => each.replace('LINE', () => line))]) {
        expect(outcomeOf(reader, text), `${title}: ${text}`).toEqual(read(line));
      }
    }
  });

  test('a request by a browser counts as other traffic in every format', () => {
    for (const [title, line] of lines) {
      expect(read(line.replaceAll(/GPTBot/gi, 'Browser')).kind, title).toBe('other');
    }
  });
});

describe('what cannot be read has its reason', () => {
  const skipped: ReadonlyArray<readonly [string, string]> = [
    ['', 'blank'],
    ['# a comment', 'blank'],
    ['garbage', 'unknown_format'],
    ['{"a":1}', 'unknown_format'],
    ['192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5', 'no_user_agent'],
    [
      `192.0.2.7 - - [31/Feb/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}"`,
      'bad_time',
    ],
    [
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "\\x16\\x03\\x01" 400 5 "-" "${agent}"`,
      'no_request',
    ],
    [
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a\\x00b HTTP/1.1" 400 0 "-" "${agent}"`,
      'not_text',
    ],
  ];

  test.each(skipped)(
    'a line of each format is read, and recognised by itself: %s',
    (line, reason) => {
      expect(read(line)).toEqual({ kind: 'skipped', reason });
    },
  );
});

describe('--format', () => {
  test.each(formatNames)('%s reads lines of its own', (name) => {
    const tables: Readonly<Record<string, string>> = {
      w3c: '#Fields: date time cs-method cs-uri cs(User-Agent)\n2026-11-20 12:34:56 GET /a GPTBot',
      csv: 'time,method,path,user_agent\n2026-11-20T12:34:56Z,GET,/a,GPTBot',
    };
    const reader = createReader(name);
    const samples = tables[name]?.split('\n') ?? lines.map(([, line]) => line);
    expect(samples.map((line) => outcomeOf(reader, line).kind)).toContain('hit');
  });

  test('fields=... reads columns in the order given', () => {
    const text = 'fields=host,address,-,time,request,status,user_agent';
    const line = `example.com 192.0.2.7 frank [20/Nov/2026:12:34:56 +0000] "GET /a HTTP/1.1" 200 "${agent}" more`;
    expect(read(line, text)).toMatchObject({
      kind: 'hit',
      line: { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
    });
  });

  test('fields=... reads JSON by keys', () => {
    const text = 'fields=time:ts,user_agent:http.ua,method:http.method,target:http.url,address:ips';
    const line = JSON.stringify({
      ts: at,
      http: { ua: agent, method: 'GET', url: '/a' },
      ips: ['192.0.2.7'],
    });
    expect(read(line, text)).toMatchObject({
      kind: 'hit',
      line: { target: '/a', address: '192.0.2.7' },
    });
  });

  test.each([
    [
      'time,address,method,target,status,user_agent',
      '1795178096.000\t192.0.2.7\tGET\t/a%20b\t200\tMozilla/5.0%20(GPTBot/1.3)',
    ],
    [
      'time,address,method,target,status,user_agent;separator=comma;encoding=percent',
      '"2026-11-20T12%3A34%3A56Z", "192.0.2.7", "GET", "/a%20b", "200", "Mozilla/5.0%20(GPTBot/1.3)"',
    ],
    [
      'time:t,address:ip,method:m,target:p,status:s,user_agent:ua;encoding=percent',
      '{"t":"2026-11-20T12%3A34%3A56Z","ip":"192.0.2.7","m":"GET","p":"/a%20b","s":200,"ua":"Mozilla/5.0%20(GPTBot/1.3)"}',
    ],
  ])('fields=%s reads the separator and the encoding that it names', (fields, line) => {
    expect(read(line, `fields=${fields}`)).toMatchObject({
      kind: 'hit',
      line: {
        atMs: Date.parse(at),
        address: '192.0.2.7',
        target: '/a%20b',
        status: 200,
        userAgent: 'Mozilla/5.0 (GPTBot/1.3)',
      },
    });
  });

  test.each([
    'nonsense',
    'fields=time,user_agent,request,what',
    'fields=time:a,user_agent,request',
  ])('%s is refused as wrong usage', (choice) => {
    expect(() => createFormats(choice)).toThrow(Refusal);
  });
});

test('any bytes have an outcome, and a line that is a hit has a time, a method and a target', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .tuple(
        fc.constantFrom(...lines.map(([, line]) => line)),
        fc.nat(400),
        fc.uint8Array({ maxLength: 8 }),
      )
      .map(([line, place, inserted]) =>
        Buffer.concat([
          Buffer.from(line.slice(0, place)),
          inserted,
          Buffer.from(line.slice(place)),
        ]),
      ),
  );
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 8 }), (rows) => {
      const reader = createReader();
      for (const row of rows) {
        const outcome = outcomeOf(reader, row.toString());
        if (outcome.kind !== 'hit') continue;
        expect(Number.isSafeInteger(outcome.line.atMs)).toBe(true);
        expect(outcome.line.method).toMatch(/^[A-Za-z]/);
        expect(outcome.line.target).not.toBe('');
        expect(outcome.line.target.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: cases(500) },
  );
});

test('a line of 32 KB is read', () => {
  const target = `/${'a'.repeat(32_000)}`;
  const line = `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${agent}"`;
  expect(read(line)).toMatchObject({ kind: 'hit', line: { target } });
});
