import { quota } from '../limits.ts';
import { reference } from './json.ts';
import type { JsonObject } from './json.ts';

const string = { type: 'string' } as const;

/** Every response header that a client may rely on, by its name on the wire. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request in the log of the server. On every response.',
    schema: { type: 'string', format: 'uuid' },
    example: '0f0b3a52-9a0e-4f4e-8f5c-2d6f2a1f7c11',
  },
  ETag: {
    description: 'Weak entity tag of the response, for `If-None-Match`.',
    schema: { type: 'string', pattern: '^W/"[!#-~]+"$' },
    example: 'W/"m3mJ8sVtQ2kZ1xYb"',
  },
  'Cache-Control': {
    description:
      '`private, no-cache` on a 200: keep it, and ask with `If-None-Match` before using it again. `no-store` on a problem.',
    schema: string,
    example: 'private, no-cache',
  },
  Vary: {
    description: 'Request headers on which the response depends.',
    schema: string,
    example: 'Authorization, Accept-Encoding',
  },
  'RateLimit-Policy': {
    description:
      'Quota of this endpoint: `q` requests in any `w` seconds, shared by all keys of the workspace. Missing if the operator has switched the quota off.',
    schema: string,
    example: `"scores";q=${quota.requests};w=${quota.windowSeconds}`,
  },
  RateLimit: {
    description: 'Requests that are left (`r`), and seconds until there are more (`t`).',
    schema: string,
    example: `"scores";r=${quota.requests - 1};t=${quota.windowSeconds}`,
  },
  'Retry-After': {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 1, maximum: quota.windowSeconds },
    example: 60,
  },
  'WWW-Authenticate': {
    description: 'Says that a bearer key is needed, or that the sent key is invalid.',
    schema: string,
    example: 'Bearer realm="overheard", error="invalid_token"',
  },
  Link: {
    description:
      'The next page, `rel="next"`. Missing on the last one, except of `changes`, which has no last one.',
    schema: string,
    example: '<https://overheard.example.com/api/v1/answers?cursor=WyIyMDI2>; rel="next"',
  },
  Allow: {
    description: 'The methods of this path.',
    schema: string,
    example: 'GET, HEAD, OPTIONS',
  },
} as const satisfies Record<string, JsonObject>;

export type HeaderName = keyof typeof headers;

/** The headers' descriptions, under names that a component may have. */
export function headerComponents(): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [componentName(name), header]),
  );
}

/** References to headers, for a response that has them. */
export function headerReferences(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, reference('headers', componentName(name))]));
}

function componentName(header: string): string {
  return header.replaceAll('-', '');
}
