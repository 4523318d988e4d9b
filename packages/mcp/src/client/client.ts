import { isWellFormedKey } from '@overheard/contract';
import type { Endpoint } from '@overheard/contract';
import type { AnswerCache, KeptAnswer } from './answer-cache.ts';
import { readJson, readProblem } from './body.ts';
import type { Config } from '../config.ts';
import { Failure } from '../failure.ts';
import type { FailureCode } from '../failure.ts';
import { networkFailure } from './network-failure.ts';
import { readQuota, readRetryAfter } from './quota.ts';
import type { Quota } from './quota.ts';
import { withRetries } from './retry.ts';
import type { RetryLimits, Timing } from './retry.ts';
import { readRows } from './rows.ts';
import type { Row } from '../tools/row.ts';

/** What one read brought. */
export interface Answer {
  readonly rows: readonly Row[];
  /** Changes whenever the rows do; undefined if the server sent none. */
  readonly etag: string | undefined;
  readonly quota: Quota | undefined;
}

/** Reads the endpoints of one server with one key. */
export interface Client {
  /** Throws a failure, or the signal's reason when it aborts. */
  read(
    endpoint: Endpoint,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Answer>;
}

/** A client. What it touches of the world is given to it. */
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
  readonly cache: AnswerCache;
  readonly userAgent: string;
  readonly limits?: RetryLimits;
}): Client {
  return {
    async read(endpoint, query, signal) {
      const { address, authorization } = opened(config);
      const url = `${address}${endpoint.path}${queryText(query)}`;
      const attempt = async (until: AbortSignal): Promise<Answer> => {
        const kept = cache.get(url);
        const headers = {
          accept: 'application/json',
          authorization,
          'user-agent': userAgent,
          ...(kept === undefined ? {} : { 'if-none-match': kept.etag }),
        };
        try {
          // A redirection is never followed: it could carry the key to somebody else.
          const response = await fetch(url, { headers, redirect: 'manual', signal: until });
          return await readAnswer(response, { endpoint, address, kept });
        } catch (error) {
          throw error instanceof Failure ? error : networkFailure(error, address);
        }
      };
      const answer = await withRetries(attempt, { signal, timing, ...(limits && { limits }) });
      if (answer.etag !== undefined) cache.set(url, { etag: answer.etag, rows: answer.rows });
      return answer;
    },
  };
}

/** The address as it may be shown and the header, or what is wrong with the settings. */
function opened({ apiKey, baseUrl }: Config): { address: string; authorization: string } {
  if (baseUrl === undefined) throw new Failure('bad_address');
  if (apiKey === undefined) throw new Failure('missing_key');
  // A mistyped key is told apart here: the server answers all keys that do not open alike.
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

async function readAnswer(
  response: Response,
  {
    endpoint,
    address,
    kept,
  }: { endpoint: Endpoint; address: string; kept: KeptAnswer | undefined },
): Promise<Answer> {
  const quota = readQuota(response.headers);
  if (response.status === 304 && kept !== undefined) return { ...kept, quota };
  if (response.status !== 200) throw await statusFailure(response, address);
  const rows = readRows(endpoint, await readJson(response, address));
  if (rows === undefined) throw new Failure('unknown_shape', { address });
  return { rows, etag: response.headers.get('etag') ?? undefined, quota };
}

async function statusFailure(response: Response, address: string): Promise<Failure> {
  const { status, headers } = response;
  const facts = {
    status,
    address,
    waitSeconds: readRetryAfter(headers),
    ...(await readProblem(response)),
  };
  const isDropped = status === 401 && facts.problem === 'missing_api_key';
  return new Failure(isDropped ? 'dropped_key' : codeOfStatus(status), facts);
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
