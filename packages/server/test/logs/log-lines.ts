import type { LogLine } from '../../src/crawlers/log-line.ts';
import { cloudLines } from './cloud-lines.ts';
import { serverLines } from './server-lines.ts';

/** The user agent of the sample lines. */
export const agent =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
/** The time of the sample lines. */
export const at = '2026-11-20T12:34:56.000Z';

/** Lines as the servers and platforms write them, each with what it says. */
export const lines: ReadonlyArray<
  readonly [title: string, line: string, expected: Partial<LogLine>]
> = [
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
    'nginx JSON without escape=json, whose odd bytes are UTF-8',
    `{"time_iso8601":"2026-11-20T12:34:56+00:00","request":"GET /caf\\xC3\\xA9/\\x22x\\x22\\x5C HTTP/1.1","http_user_agent":"${agent} \\xE2\\x80\\x9Cquoted\\xE2\\x80\\x9D"}`,
    { target: '/café/"x"\\', userAgent: `${agent} “quoted”` },
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
    { host: 'example.com', address: '192.0.2.7', target: '/a?b', status: 200 },
  ],
  [
    'AWS Classic ELB',
    `2026-11-20T12:34:56.000000Z my-lb 192.0.2.7:2817 - -1 -1 -1 503 0 0 0 "GET http://example.com:80/ HTTP/1.1" "${agent}" - -`,
    { host: 'example.com', address: '192.0.2.7', status: 503, target: '/' },
  ],
  [
    'AWS ALB, IPv6 without brackets',
    `https 2026-11-20T12:34:56.000000Z app/lb/50dc6c495c0c9188 2001:db8::7:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://[2001:DB8::9]:443/a HTTP/2.0" "${agent}" ECDHE-RSA TLSv1.2 arn:aws "Root=1" "example.com" "-" 0 2026-11-20T12:34:55.000000Z "forward" "-" "-"`,
    { host: '[2001:db8::9]', address: '2001:db8::7', target: '/a', status: 200 },
  ],
  [
    'AWS Classic ELB, a whole IPv6 address',
    `2026-11-20T12:34:56.000000Z my-lb 2001:db8:0:1:2:3:4:7:443 - -1 -1 -1 503 0 0 0 "GET http://example.com:80/ HTTP/1.1" "${agent}" - -`,
    { address: '2001:db8:0:1:2:3:4:7' },
  ],
  ...serverLines(agent, at),
  ...cloudLines(agent, at),
];
