import { isWellFormedKey } from '@overheard/contract';
import type { Endpoint } from '@overheard/contract';
import { Failure, readBodyRows } from '@overheard/tools';
import type { Client, ClientResponse, FailureCode } from '@overheard/tools';
import type { ResponseCache, CachedResponse } from './response-cache.ts';
import type { Config } from '../config.ts';
import { networkFailure } from './network-failure.ts';
import { readQuota, readRetryAfter } from './quota.ts';
import { readProblem } from './read-problem.ts';
import { withRetries } from './retry.ts';
import type { RetryLimits, Timing } from './retry.ts';

/** Makes a client. Its effects are arguments. */
export function createClient({
  config,
  fetch,
  timing,
  cache,
  userAgent,
  limits,
}: {
  readonly config: Config;
  readonly fetch: typeof globalThis.fetch;
  readonly timing: Timing;
  readonly cache: ResponseCache;
  readonly userAgent: string;
  readonly limits?: RetryLimits;
}): Client {
  const urlOf = (address: string, { path }: Endpoint, query: Readonly<Record<string, string>>) =>
    `${address}${path}${queryText(query)}`;
  return {
    readCached(endpoint, query) {
      const cached = cache.get(urlOf(prepareAccess(config).address, endpoint, query));
      return cached && { ...cached, quota: undefined };
    },
    async read(endpoint, query, signal) {
      const { address, authorization } = prepareAccess(config);
      const url = urlOf(address, endpoint, query);
      const attempt = async (until: AbortSignal): Promise<ClientResponse> => {
        const cached = cache.get(url);
        const headers = requestHeaders({ authorization, userAgent, etag: cached?.etag });
        try {
          // Never follow a redirect, because it could carry the key to somebody else.
          const response = await fetch(url, { headers, redirect: 'manual', signal: until });
          return await readResponse(response, { endpoint, address, cached });
        } catch (error) {
          throw error instanceof Failure ? error : networkFailure(error, address);
        }
      };
      try {
        const response = await withRetries(attempt, { signal, timing, ...(limits && { limits }) });
        const { etag, rows, next } = response;
        cache.set(url, { etag, rows, next, atMs: timing.now() });
        return response;
      } catch (error) {
        const stale = staleResponse(error, cache.get(url), timing.now());
        if (stale === undefined) throw error;
        return stale;
      }
    },
  };
}

function requestHeaders({
  authorization,
  userAgent,
  etag,
}: {
  authorization: string;
  userAgent: string;
  etag: string | undefined;
}) {
  return {
    accept: 'application/json',
    authorization,
    'user-agent': userAgent,
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
  };
}

/** Returns the cached response if only the quota prevents a current one. */
function staleResponse(
  error: unknown,
  cached: CachedResponse | undefined,
  nowMs: number,
): ClientResponse | undefined {
  const isSpent =
    error instanceof Failure &&
    error.code === 'quota_spent' &&
    error.facts.problem !== 'too_many_failures';
  if (!isSpent || cached === undefined) return undefined;
  const { waitSeconds } = error.facts;
  const seconds = Math.round((nowMs - cached.atMs) / 1000);
  return { ...cached, quota: undefined, stale: { seconds, waitSeconds } };
}

/**
 * Makes the address without secrets, and the header with the key. Throws if the settings are
 * unusable.
 */
function prepareAccess({ apiKey, baseUrl }: Config): { address: string; authorization: string } {
  if (baseUrl === undefined) throw new Failure('bad_address');
  if (apiKey === undefined) throw new Failure('missing_key');
  // Recognise a mistyped key here, because the server gives every invalid key the same response.
  if (!isWellFormedKey(apiKey)) throw new Failure('malformed_key');
  return {
    address: `${baseUrl.origin}${baseUrl.pathname.replace(/\/$/, '')}`,
    authorization: `Bearer ${apiKey}`,
  };
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

async function readResponse(
  response: Response,
  {
    endpoint,
    address,
    cached,
  }: { endpoint: Endpoint; address: string; cached: CachedResponse | undefined },
): Promise<ClientResponse> {
  const quota = readQuota(response.headers);
  if (response.status === 304 && cached !== undefined) {
    return { rows: cached.rows, etag: cached.etag, next: cached.next, quota };
  }
  if (response.status !== 200) throw await statusFailure(response, { endpoint, address });
  const rows = await readBodyRows(endpoint, response.body, address);
  const etag = response.headers.get('etag') ?? undefined;
  return { rows, etag, next: readNext(response.headers.get('link') ?? ''), quota };
}

/** The cursor in a `Link` header. The address before it is not used: it may be another server's. */
function readNext(link: string): string | undefined {
  return /[?&](?:cursor|since)=([\w-]{1,400})[^>]*>; rel="next"/.exec(link)?.[1];
}

async function statusFailure(
  response: Response,
  { endpoint, address }: { endpoint: Endpoint; address: string },
): Promise<Failure> {
  const { status, headers } = response;
  const facts = {
    status,
    address,
    waitSeconds: readRetryAfter(headers),
    ...(await readProblem(response, endpoint)),
  };
  if (status === 401 && facts.problem === 'missing_api_key')
    return new Failure('dropped_key', facts);
  if (facts.problem === 'cursor_too_old') return new Failure('old_cursor', facts);
  const isArgument = status === 400 && (facts.parameters ?? []).length > 0;
  return new Failure(isArgument ? 'refused_arguments' : codeOfStatus(status), facts);
}

function codeOfStatus(status: number): FailureCode {
  if (status < 300 || status === 304) return 'unknown_shape';
  if (status < 400) return 'redirected';
  if (status === 401) return 'refused_key';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 405 || status === 410) return 'no_endpoint';
  if (status === 429) return 'quota_spent';
  if (status === 408) return 'server_failed';
  return status < 500 ? 'refused_request' : 'server_failed';
}
