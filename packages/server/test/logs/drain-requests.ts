/** The requests in which hosts send the lines of their logs, as each host documents them. */
import { createHmac } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { ReceiverHost } from '../../src/storage/tables/key-tables.ts';

const agent =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const at = '2026-11-20T12:00:00.000Z';

/** The parts of a request beside its body. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
}

export function combined(path: string): string {
  return `192.0.2.7 - - [20/Nov/2026:12:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"`;
}

const ndjson = (rows: readonly object[]) =>
  `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

/** The requests of each host as it documents them, and the same lines as they would be in a file. */
export const drains: ReadonlyArray<{
  readonly host: ReceiverHost;
  readonly lines: string;
  readonly send: (lines: string, secret: string) => { readonly body: string | Buffer } & Sent;
}> = [
  {
    host: 'cloudflare',
    lines: ndjson(
      ['/a', '/b?c=d'].map((uri) => ({
        ClientIP: '192.0.2.7',
        ClientRequestHost: 'www.acme.com',
        ClientRequestMethod: 'GET',
        ClientRequestURI: uri,
        ClientRequestUserAgent: agent,
        EdgeResponseStatus: 200,
        EdgeStartTimestamp: at,
      })),
    ),
    send: (lines) => ({
      body: gzipSync(lines),
      headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
    }),
  },
  {
    host: 'vercel',
    lines: ndjson(
      ['/a', '/b'].map((path) => ({
        id: '1573817187330377061717300000',
        deploymentId: 'dpl_233NRGRjVZX1caZrXWtz5g1TAksD',
        source: 'static',
        host: 'www.acme.com',
        timestamp: Date.parse(at),
        projectId: 'gdufoJxB6b9b1fEqr1jUtFkyavUU',
        level: 'info',
        proxy: {
          timestamp: Date.parse(at),
          method: 'GET',
          host: 'www.acme.com',
          path,
          userAgent: [agent],
          referer: '',
          statusCode: 200,
          clientIp: '192.0.2.7',
          scheme: 'https',
        },
      })),
    ),
    send: (lines, secret) => {
      const body = `[${lines.trim().replaceAll('\n', ',')}]`;
      const signature = createHmac('sha1', secret).update(body).digest('hex');
      return {
        body,
        headers: { 'content-type': 'application/json', 'x-vercel-signature': signature },
      };
    },
  },
  {
    host: 'netlify',
    lines: ndjson(
      ['/a', '/b'].map((path) => ({
        log_type: 'traffic',
        timestamp: at,
        client_ip: '192.0.2.7',
        method: 'GET',
        status_code: 200,
        url: `https://www.acme.com${path}`,
        user_agent: agent,
      })),
    ),
    send: (lines) => ({ body: lines, headers: { 'content-type': 'application/x-ndjson' } }),
  },
  {
    host: 'fastly',
    lines: ndjson(
      ['/a', '/b'].map((url) => ({
        timestamp: '2026-11-20T12:00:00+0000',
        client_ip: '192.0.2.7',
        request_method: 'GET',
        host: 'www.acme.com',
        url,
        request_referer: '',
        request_user_agent: agent,
        response_status: 200,
      })),
    ),
    send: (lines) => ({ body: zstdCompressSync(lines), headers: { 'content-encoding': 'zstd' } }),
  },
  {
    host: 'cloudfront',
    lines: ndjson(
      ['/a', '/b'].map((stem) => ({
        date: '2026-11-20',
        time: '12:00:00',
        'c-ip': '192.0.2.7',
        'cs-method': 'GET',
        'cs(Host)': 'd111.cloudfront.net',
        'cs-uri-stem': stem,
        'sc-status': '200',
        'cs(User-Agent)': encodeURIComponent(agent),
        'x-host-header': 'www.acme.com',
      })),
    ),
    send: (lines, secret) => ({
      body: gzipSync(
        JSON.stringify({
          requestId: 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
          timestamp: 1_578_090_901_599,
          records: lines
            .trim()
            .split('\n')
            .map((line) => ({ data: Buffer.from(line).toString('base64') })),
        }),
      ),
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-amz-firehose-protocol-version': '1.0',
        'x-amz-firehose-request-id': 'ed4acda5-034f-9f42-bba1-f29aea6d7d8f',
        'x-amz-firehose-access-key': secret,
      },
    }),
  },
  {
    host: 'other',
    lines: `${combined('/a')}\n${combined('/b')}\n`,
    // A body may end without a newline.
    send: (lines) => ({ body: lines.trimEnd() }),
  },
];
