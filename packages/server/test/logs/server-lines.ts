import type { LogLine } from '../../src/crawlers/log-line.ts';

type SampleLine = readonly [title: string, line: string, expected: Partial<LogLine>];

/** Lines as servers, proxies and content networks document them. */
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
      'Gorouter of Cloud Foundry',
      `example.com - [2026-11-20T12:34:56.000000000Z] "GET /a HTTP/1.1" 200 0 12 "-" "${agent}" "10.0.72.15:19612" "10.36.128.5:61208" x_forwarded_for:"192.0.2.7, 10.0.72.15" x_forwarded_proto:"https" vcap_request_id:"821a54bb-98b1-4127-7325-7682d2db65b0" response_time:0.088923 gorouter_time:0.000073 app_id:"300420dd-716b-49e4-8434-d02ef480b100" app_index:"0"`,
      {
        host: 'example.com',
        address: '10.0.72.15',
        forwardedFor: '192.0.2.7, 10.0.72.15',
        status: 200,
      },
    ],
    [
      'Caddy, console',
      `2026/11/20 12:34:56.000\tINFO\thttp.log.access.log0\thandled request\t${JSON.stringify({
        request: {
          remote_ip: '192.0.2.7',
          remote_port: '41342',
          client_ip: '192.0.2.7',
          proto: 'HTTP/2.0',
          method: 'GET',
          host: 'example.com',
          uri: '/a',
          headers: { 'User-Agent': [agent] },
        },
        bytes_read: 0,
        duration: 0.0012,
        size: 5,
        status: 200,
      })}`,
      { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
    ],
    [
      'Kong',
      JSON.stringify({
        request: {
          uri: '/a?b=c',
          url: 'https://example.com:8443/a?b=c',
          method: 'GET',
          size: 100,
          querystring: { b: 'c' },
          headers: { host: 'example.com', 'user-agent': agent },
        },
        response: { status: 200, size: 5, headers: { server: 'gunicorn' } },
        service: { host: 'backend', port: 80 },
        client_ip: '192.0.2.7',
        started_at: Date.parse(at),
      }),
      { host: 'example.com', address: '192.0.2.7', target: '/a?b=c', status: 200 },
    ],
    [
      'Alibaba Cloud CDN, offline',
      `[20/Nov/2026:20:34:56 +0800] 192.0.2.7 - 1542 "-" "GET http://example.com/a" 200 191 2830 MISS "${agent}" "text/html"`,
      { host: 'example.com', address: '192.0.2.7', target: '/a', status: 200 },
    ],
    [
      'Tencent EdgeOne',
      JSON.stringify({
        LogTime: '2026-11-20T12:35:30Z',
        RequestID: '7c0a3f',
        ClientIP: '192.0.2.7',
        RequestTime: '2026-11-20T12:34:56Z',
        RequestHost: 'example.com',
        RequestMethod: 'GET',
        RequestUrl: '/a',
        RequestUrlQueryString: 'b=c',
        RequestUA: agent,
        RequestReferer: '-',
        EdgeResponseStatusCode: 200,
        EdgeServerIP: '198.51.100.9',
      }),
      { host: 'example.com', address: '192.0.2.7', target: '/a?b=c', status: 200 },
    ],
    [
      'Cloudflare Workers, an event of a tail',
      JSON.stringify({
        outcome: 'ok',
        scriptName: null,
        exceptions: [],
        logs: [],
        eventTimestamp: Date.parse(at),
        event: {
          request: {
            url: 'https://example.com/a',
            method: 'GET',
            headers: { 'cf-connecting-ip': '192.0.2.7', 'user-agent': agent },
            cf: { httpProtocol: 'HTTP/2' },
          },
          response: { status: 200 },
        },
      }),
      { host: 'example.com', cfConnectingIp: '192.0.2.7', target: '/a', status: 200 },
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
