import type { LogLine } from '../../src/crawlers/log-line.ts';

type SampleLine = readonly [title: string, line: string, expected: Partial<LogLine>];

/** Lines as servers and proxies document them. */
export function serverLines(agent: string, at: string): readonly SampleLine[] {
  return [
    [
      'lighttpd, with the site in the second place',
      `192.0.2.7 example.com - [20/Nov/2026:12:34:56 +0000] "GET /a HTTP/1.1" 200 5 "-" "${agent}"`,
      { host: 'example.com', address: '192.0.2.7' },
    ],
    [
      'OpenLiteSpeed, with the quotes of its configuration',
      `"192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a HTTP/1.1" 200 5 "-" "${agent}""`,
      { host: null, address: '192.0.2.7', userAgent: agent },
    ],
    [
      'LiteSpeed, with the site in brackets',
      `[example.com] 192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a HTTP/2" 200 5 "-" "${agent}"`,
      { host: 'example.com', address: '192.0.2.7' },
    ],
    [
      'Traefik, text',
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET /a HTTP/2.0" 200 5 "-" "${agent}" 17 "web@docker" "http://172.18.0.4:80" 3ms`,
      { host: null, address: '192.0.2.7', status: 200 },
    ],
    [
      'Varnish, with whole URLs',
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] "GET http://example.com/a HTTP/1.1" 200 5 "-" "${agent}"`,
      { host: 'example.com', target: '/a' },
    ],
    [
      'Apache, JSON with the path as the request',
      JSON.stringify({
        time: '[20/Nov/2026:12:34:56 +0000]',
        remoteIP: '192.0.2.7',
        host: 'example.com',
        request: '/a',
        query: '?b=c',
        method: 'GET',
        status: '200',
        userAgent: agent,
      }),
      { host: 'example.com', address: '192.0.2.7', target: '/a?b=c', status: 200 },
    ],
    [
      'Envoy',
      `[2026-11-20T12:34:56.000Z] "GET /a HTTP/2" 200 - 0 5 226 100 "198.51.100.4" "${agent}" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "example.com" "tcp://10.0.2.1:80"`,
      { host: 'example.com', address: null, forwardedFor: '198.51.100.4', status: 200 },
    ],
    [
      'Istio',
      `[2026-11-20T12:34:56.000Z] "GET /a HTTP/2" 200 - via_upstream - "-" 0 135 4 4 "198.51.100.4" "${agent}" "84961386-6d84-929d" "example.com" "10.44.1.27:80" inbound|80|| 127.0.0.6:41854 10.44.1.27:80 192.0.2.7:37652 outbound_.80_._.web.svc default`,
      {
        host: 'example.com',
        address: '192.0.2.7:37652',
        forwardedFor: '198.51.100.4',
        status: 200,
      },
    ],
    [
      'Istio, JSON',
      JSON.stringify({
        start_time: at,
        method: 'GET',
        path: '/a',
        protocol: 'HTTP/2',
        response_code: 200,
        response_flags: '-',
        authority: 'example.com',
        user_agent: agent,
        x_forwarded_for: '198.51.100.4',
        downstream_local_address: '10.44.1.27:80',
        downstream_remote_address: '192.0.2.7:37652',
        upstream_host: '10.44.1.27:80',
        request_id: '84961386',
      }),
      { host: 'example.com', address: '192.0.2.7:37652', status: 200 },
    ],
    [
      'HAProxy',
      `192.0.2.7:33317 [20/Nov/2026:12:34:56.000] http-in~ static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.com|https://x.example/|${agent}} {} "GET /a HTTP/1.1"`,
      { host: 'example.com', address: '192.0.2.7', target: '/a', userAgent: agent },
    ],
    [
      'Nginx Proxy Manager',
      `[20/Nov/2026:12:34:56 +0000] - 200 200 - GET https example.com "/a?b" [Client 192.0.2.7] [Length 512] [Gzip -] [Sent-to 172.18.0.5] "${agent}" "-"`,
      { host: 'example.com', address: '192.0.2.7', target: '/a?b', status: 200 },
    ],
    [
      'Nginx Proxy Manager, without a host behind it',
      `[20/Nov/2026:12:34:56 +0000] 404 - GET https example.com "/a" [Client 192.0.2.7] [Length 150] [Gzip 3.1] "${agent}" "-"`,
      { host: 'example.com', address: '192.0.2.7', status: 404 },
    ],
    [
      'Bunny',
      `HIT|200|1795178096000|412|390|192.0.2.7|-|https://example.com/a|WA|${agent}|322b688bd63fb63f2babe9de30a5d262|DE`,
      { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
    ],
    [
      'Kinsta',
      `example.com 192.0.2.7 [20/Nov/2026:12:34:56 +0000] GET "/a?b" HTTP/2.0 200 "-" "${agent}" 192.0.2.7 "/index.php" - - 3045 0.4 0.4`,
      { host: 'example.com', address: '192.0.2.7', target: '/a?b', status: 200 },
    ],
    [
      'APISIX',
      `192.0.2.7 - - [20/Nov/2026:12:34:56 +0000] example.com "GET /a HTTP/1.1" 200 5 0.003 "-" "${agent}" 10.0.0.5:80 200 0.002 "http://example.com"`,
      { host: 'example.com', address: '192.0.2.7', status: 200 },
    ],
    [
      'Elastic Common Schema',
      JSON.stringify({
        '@timestamp': at,
        client: { ip: '192.0.2.7' },
        http: { request: { method: 'GET' }, response: { status_code: 200 } },
        url: { domain: 'example.com', path: '/a', query: 'b=c' },
        user_agent: { original: agent, name: 'Other' },
        host: { name: 'web1', hostname: 'web1' },
      }),
      { host: 'example.com', address: '192.0.2.7', target: '/a?b=c', status: 200 },
    ],
    [
      'pino',
      JSON.stringify({
        level: 30,
        time: 1_795_178_096_000,
        hostname: 'web1',
        req: {
          id: 1,
          method: 'GET',
          url: '/a',
          headers: { host: 'example.com', 'user-agent': agent },
          remoteAddress: '192.0.2.7',
        },
        res: { statusCode: 200 },
      }),
      { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
    ],
    [
      'LTSV',
      `host:192.0.2.7\tuser:-\ttime:[20/Nov/2026:12:34:56 +0000]\treq:GET /a HTTP/1.1\tstatus:200\tsize:5\treferer:-\tua:${agent}\tvhost:example.com`,
      { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
    ],
    [
      'logfmt',
      `time=${at} level=info msg="handled \\"it\\"" method=GET path=/a?b status=200 remote_addr=192.0.2.7:4711 host=example.com user_agent="${agent}"`,
      { host: 'example.com', address: '192.0.2.7:4711', target: '/a?b', status: 200 },
    ],
  ];
}
