import type { ReceiverHost } from '../storage/tables/key-tables.ts';

/** Where lines come from. Each way of sending has its own proof and its own response. */
export const receiverHosts: Readonly<Record<ReceiverHost, string>> = {
  cloudflare: 'Cloudflare',
  vercel: 'Vercel',
  netlify: 'Netlify',
  fastly: 'Fastly',
  cloudfront: 'CloudFront',
  other: 'Another host, or your own program',
};

export function isReceiverHost(text: string): text is ReceiverHost {
  return Object.hasOwn(receiverHosts, text);
}

/** Whether a host proves its requests by a secret beside the token in the address. */
export function hasSecret(host: ReceiverHost): boolean {
  return host === 'vercel' || host === 'cloudfront';
}

/** One step of setting a host up, with what is to be copied. */
export interface SetUpStep {
  readonly words: string;
  readonly text?: string;
}

const unreachable =
  'This address is on this machine alone, so no host can reach it: name the public address of the server with --public-url.';
const folderNeeded =
  'On PostgreSQL, a server takes lines only if --spool names a folder for them; until then each sender gets 503.';

/** What to do at a host so that it sends its lines to `address`. */
export function setUpSteps(
  host: ReceiverHost,
  {
    address,
    secret,
    dialect,
  }: { address: string; secret: string | null; dialect?: 'sqlite' | 'postgres' },
): readonly SetUpStep[] {
  const key = secret ?? '';
  const steps: Readonly<Record<ReceiverHost, readonly SetUpStep[]>> = {
    cloudflare: [
      {
        words:
          'In your zone, open Analytics & Logs, Logpush, and create a job for HTTP requests with an HTTP destination:',
        text: address,
      },
      {
        words: 'Send these fields, as NDJSON, in batches of at most 10 MB (`max_upload_bytes`):',
        text: 'ClientIP ClientRequestHost ClientRequestMethod ClientRequestReferer ClientRequestURI ClientRequestUserAgent EdgeResponseStatus EdgeStartTimestamp',
      },
    ],
    vercel: [
      {
        words:
          'In Team Settings, open Drains, and add a drain for logs with a custom endpoint, NDJSON, without compression, for all sources of requests:',
        text: address,
      },
      { words: 'Its signature secret:', text: key },
      {
        words:
          'If Vercel shows a code for the header x-vercel-verify, write `?verify=` and the code at the end of the address, and let Vercel verify it.',
      },
    ],
    netlify: [
      {
        words:
          'In Logs & metrics, open Log drains, and add a general HTTP endpoint for traffic logs as NDJSON, without hiding personal data:',
        text: address,
      },
    ],
    fastly: [
      {
        words:
          'In your service, open Logging, and create an HTTPS endpoint with newline-delimited JSON and 10000000 as its maximum of bytes:',
        text: address,
      },
      {
        words: 'Its log format:',
        text: '{"timestamp":"%{strftime(\\{"%Y-%m-%dT%H:%M:%S%z"\\}, time.start)}V","client_ip":"%{client.ip}V","request_method":"%{json.escape(req.method)}V","host":"%{json.escape(req.http.host)}V","url":"%{json.escape(req.url)}V","request_referer":"%{json.escape(req.http.referer)}V","request_user_agent":"%{json.escape(req.http.User-Agent)}V","response_status":%{resp.status}V}',
      },
      {
        words:
          'If the service has shielding, also a condition, so that only the node that the client reached logs:',
        text: 'fastly.ff.visits_this_service == 0',
      },
    ],
    cloudfront: [
      {
        words:
          'In Amazon Data Firehose, create a stream from Direct PUT to an HTTP endpoint, with a buffer of 1 MiB and content encoding GZIP:',
        text: address,
      },
      { words: 'Its access key:', text: key },
      {
        words:
          'In your distribution, open Logging, and add a delivery of standard logs to this stream, as JSON.',
      },
    ],
    other: [
      {
        words:
          'Post lines in any format that `overheard hits ingest` reads, as they are or packed with gzip, zstd or br, at most 10 MB in a request. The response 202 means that they are on the disk:',
        text: `curl --fail-with-body -w '%{http_code}\\n' --data-binary @access.log ${address}`,
      },
    ],
  };
  const isOwnMachine = /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(address);
  return [
    ...steps[host],
    ...(isOwnMachine && host !== 'other' ? [{ words: unreachable }] : []),
    ...(dialect === 'postgres' ? [{ words: folderNeeded }] : []),
  ];
}
