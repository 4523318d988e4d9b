import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bots } from '../bots/catalogue.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { createLineReader } from '../ingest/line-reader.ts';
import type { LineOutcome } from '../ingest/line-reader.ts';
import type { LogLine } from '../log-line.ts';
import { createFormats, formatNames } from './all.ts';

const agent =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const at = '2026-11-20T12:34:56.000Z';

/** Lines as the servers and platforms write them, each with what it says. */
const lines: ReadonlyArray<readonly [title: string, line: string, expected: Partial<LogLine>]> = [
  [
    'NCSA combined',
    `192.0.2.7 - frank [20/Nov/2026:12:34:56 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "-" "${agent}"`,
    { address: '192.0.2.7', method: 'GET', target: '/a?b=c', status: 200, host: null },
  ],
  [
    'NCSA combined in another zone, with a user that has a space',
    `2001:db8::7 - john doe [20/Nov/2026:18:04:56 +0530] "POST / HTTP/2.0" 304 - "https://x.example/" "${agent}"`,
    { address: '2001:db8::7', method: 'POST', status: 304 },
  ],
  [
    'NCSA with the virtual host first',
    `www.Example.com:443 192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}"`,
    { host: 'www.example.com', address: '192.0.2.7' },
  ],
  [
    'NCSA with the virtual host last',
    `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}" example.com`,
    { host: 'example.com', address: '192.0.2.7' },
  ],
  [
    "the main format of nginx's packages",
    `10.0.0.3 - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}" "198.51.100.4, 10.0.0.9"`,
    { address: '10.0.0.3', forwardedFor: '198.51.100.4, 10.0.0.9', host: null },
  ],
  [
    'NCSA with columns of the site that are not guessed at',
    `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}" 0.003 app.internal:8080 .`,
    { host: null, forwardedFor: null },
  ],
  [
    'NCSA with escapes and an absolute target',
    `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET http://Example.com/caf\\xC3\\xA9/\\"x\\" HTTP/1.1" 200 5 "a\\"b" "${agent} \\x22quoted\\x22"`,
    { host: 'example.com', target: '/café/"x"', userAgent: `${agent} "quoted"` },
  ],
  [
    'nginx JSON',
    JSON.stringify({
      time_iso8601: '2026-11-20T14:34:56+02:00',
      remote_addr: '192.0.2.7',
      request: 'GET /a HTTP/1.1',
      status: '200',
      http_user_agent: agent,
      host: 'example.com',
    }),
    { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
  ],
  [
    'nginx JSON with its parts apart and msec',
    `{"msec": "1795178096.000", "remote_addr": "192.0.2.7", "request_method": "GET", "request_uri": "/a?b", "status": 404, "http_user_agent": "${agent} \\x22", "server_name":"example.com"}`,
    { target: '/a?b', status: 404, host: 'example.com' },
  ],
  [
    'Caddy',
    JSON.stringify({
      level: 'info',
      ts: 1_795_178_096.000_12,
      logger: 'http.log.access.log0',
      msg: 'handled request',
      request: {
        remote_ip: '10.0.0.1',
        client_ip: '192.0.2.7',
        proto: 'HTTP/2.0',
        method: 'GET',
        host: 'example.com:8443',
        uri: '/a',
        headers: { 'User-Agent': [agent], 'X-Forwarded-For': ['192.0.2.7'] },
        tls: { resumed: false },
      },
      status: 200,
    }),
    { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
  ],
  [
    'Traefik',
    JSON.stringify({
      ClientHost: '192.0.2.7',
      DownstreamStatus: 200,
      RequestHost: 'example.com',
      RequestMethod: 'GET',
      RequestPath: '/a',
      StartUTC: '2026-11-20T12:34:56.000123Z',
      'request_User-Agent': agent,
    }),
    { host: 'example.com', address: '192.0.2.7', status: 200 },
  ],
  [
    'Cloudflare, nanoseconds',
    `{"ClientIP":"192.0.2.7","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestURI":"/a","ClientRequestUserAgent":"${agent}","EdgeResponseStatus":200,"EdgeStartTimestamp":1795178096000000000}`,
    { host: 'example.com', address: '192.0.2.7', status: 200 },
  ],
  [
    'Fastly',
    JSON.stringify({
      timestamp: '2026-11-20T12:34:56+0000',
      client_ip: '192.0.2.7',
      host: 'example.com',
      url: '/a',
      request_method: 'GET',
      request_user_agent: agent,
      response_status: 200,
    }),
    { host: 'example.com', address: '192.0.2.7', status: 200 },
  ],
  [
    'Netlify',
    JSON.stringify({
      timestamp: at,
      client_ip: '192.0.2.7',
      domain: 'example.com',
      url: 'https://example.com/a',
      method: 'GET',
      status_code: 200,
      user_agent: agent,
    }),
    { host: 'example.com', target: '/a', status: 200 },
  ],
  [
    'Vercel, without an answer',
    JSON.stringify({
      source: 'static',
      timestamp: 1_795_178_096_000,
      proxy: {
        timestamp: 1_795_178_096_000,
        method: 'GET',
        host: 'example.com',
        path: '/a?b',
        userAgent: [agent],
        clientIp: '192.0.2.7',
        statusCode: -1,
      },
    }),
    { host: 'example.com', target: '/a?b', status: null },
  ],
  [
    'AWS ALB',
    `h2 2026-11-20T12:34:56.000000Z app/lb/50dc6c495c0c9188 192.0.2.7:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://example.com:443/a?b HTTP/2.0" "${agent}" ECDHE-RSA TLSv1.2 arn:aws "Root=1" "example.com" "-" 0 2026-11-20T12:34:55.000000Z "forward" "-" "-"`,
    { host: 'example.com', address: '192.0.2.7:2817', target: '/a?b', status: 200 },
  ],
  [
    'AWS Classic ELB',
    `2026-11-20T12:34:56.000000Z my-lb 192.0.2.7:2817 - -1 -1 -1 503 0 0 0 "GET http://example.com:80/ HTTP/1.1" "${agent}" - -`,
    { host: 'example.com', status: 503, target: '/' },
  ],
];

describe('a line of each format is read, and recognised by itself', () => {
  test.each(lines)('%s', (_title, line, expected) => {
    const outcome = read(line);
    expect(outcome).toMatchObject({ kind: 'hit', bot: { token: 'GPTBot' }, line: expected });
    if (outcome.kind === 'hit') expect(new Date(outcome.line.atMs).toISOString()).toBe(at);
  });

  test('in one file, line by line', () => {
    const reader = createReader();
    for (const [title, line] of [...lines, ...lines.toReversed()]) {
      expect(outcomeOf(reader, line).kind, title).toBe('hit');
    }
  });

  test('but a person in any of them is other traffic', () => {
    for (const [title, line] of lines) {
      expect(read(line.replaceAll(/GPTBot/gi, 'Browser')).kind, title).toBe('other');
    }
  });
});

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

  test('without its #Fields is skipped with that reason', () => {
    expect(read('2026-11-20 12:34:56 10.0.0.1 GET /a - 443 - 192.0.2.7 GPTBot/1.3 - 200')).toEqual({
      kind: 'skipped',
      reason: 'no_fields',
    });
  });
});

describe('what cannot be read has its reason', () => {
  const skipped: ReadonlyArray<readonly [string, string]> = [
    ['', 'blank'],
    ['   \t', 'blank'],
    ['# a comment', 'blank'],
    ['garbage', 'unknown_format'],
    ['{"a":1}', 'unknown_format'],
    ['{"a":', 'unknown_format'],
    ['192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5', 'no_user_agent'],
    [`192.0.2.7 - - [20/Nov/2026:12:34:56] "GET / HTTP/1.1" 200 5 "-" "${agent}"`, 'bad_time'],
    [
      `192.0.2.7 - - [31/Feb/2026:12:34:56 +0000] "GET / HTTP/1.1" 200 5 "-" "${agent}"`,
      'bad_time',
    ],
    [
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "\\x16\\x03\\x01" 400 5 "-" "${agent}"`,
      'no_request',
    ],
    [`192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "" 408 0 "-" "${agent}"`, 'no_request'],
    [
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a\\x00b HTTP/1.1" 400 0 "-" "${agent}"`,
      'not_text',
    ],
  ];

  test.each(skipped)('%s', (line, reason) => {
    expect(read(line)).toEqual({ kind: 'skipped', reason });
  });
});

describe('--format', () => {
  test.each(formatNames)('%s is a format', (name) => {
    expect(createFormats(name).candidates).toHaveLength(1);
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
    'nonsense',
    'fields=time',
    'fields=time,user_agent,request,what',
    'fields=time:a,user_agent,request',
  ])('%s is refused as wrong usage', (choice) => {
    expect(() => createFormats(choice)).toThrowError(expect.objectContaining({ exitCode: 2 }));
  });
});

test('any bytes are read as something, and a line that is a hit has a time, a method and a target', () => {
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
        const outcome = reader.read(Buffer.from(row).toString('latin1'));
        if (outcome.kind !== 'hit') continue;
        expect(Number.isSafeInteger(outcome.line.atMs)).toBe(true);
        expect(outcome.line.method).toMatch(/^[A-Za-z]/);
        expect(outcome.line.target).not.toBe('');
        expect(outcome.line.target.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a line of 32 KB is read', () => {
  const target = `/${'a'.repeat(32_000)}`;
  const line = `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${agent}"`;
  expect(read(line)).toMatchObject({ kind: 'hit', line: { target } });
});

function createReader(format = 'auto') {
  return createLineReader(createFormats(format), { recognise: createRecogniser(bots) });
}

function read(line: string, format = 'auto'): LineOutcome {
  return outcomeOf(createReader(format), line);
}

function outcomeOf(reader: ReturnType<typeof createReader>, line: string): LineOutcome {
  return reader.read(Buffer.from(line).toString('latin1'));
}
