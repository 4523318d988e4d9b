import type { Store } from '../../storage/store.ts';
import { keepRobotsFile, readRobotsText } from './robots-files.ts';
import type { RobotsFile } from './robots-files.ts';

/** What became of one host's file, and as a sentence why it failed. */
export type FetchedRobots = Awaited<ReturnType<typeof fetchRobots>>;

interface FetchOptions {
  readonly host: string;
  readonly url?: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

const timeoutMs = 20_000;
/** As many as RFC 9309 asks of crawlers, to other hosts too. */
const redirectsMax = 5;

/**
 * Fetches the robots.txt of a site and stores it with the current time, by the rules of RFC 9309, 2.3.1:
 * a status from 400 to 499 is a site without rules, as is one that redirects without end. A server error
 * and a 429 say nothing about the rules: nothing is stored, and the previous file stays in force.
 */
export async function fetchRobots(
  store: Store,
  workspaceId: string,
  { host, url = `https://${host}/robots.txt`, clock, ...options }: FetchOptions,
) {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  const outcome = await ask(url, { ...options, signal }).catch((error: unknown) => {
    if (signal.aborted) return 'It took too long.';
    if (error instanceof TypeError) return 'It could not be reached.';
    throw error;
  });
  if (typeof outcome === 'string') return { host, outcome: 'failed', problem: outcome } as const;
  await keepRobotsFile(store, workspaceId, {
    host,
    at: new Date(clock()).toISOString(),
    ...outcome,
  });
  return { host, outcome: outcome.status === 200 ? 'fetched' : 'none' } as const;
}

/** The file, or why there is no saying. */
async function ask(
  first: string,
  { fetch, signal }: Pick<FetchOptions, 'fetch' | 'signal'>,
): Promise<Pick<RobotsFile, 'status' | 'content'> | string> {
  let url = first;
  for (let redirects = 0; ; redirects++) {
    if (!/^https?:/i.test(url)) return 'Its address is not one of the web.';
    const headers = { 'user-agent': 'overheard', accept: 'text/plain, */*;q=0.5' };
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    const { status, ok } = response;
    const body: ReadableStream<Uint8Array> | null = response.body;
    if (ok) return { status: 200, content: await readRobotsText(body) };
    await body?.cancel();
    const location = status < 400 ? response.headers.get('location') : null;
    const isNone = status >= 400 && status < 500 && status !== 429;
    if (isNone || (location !== null && redirects === redirectsMax)) return { status, content: '' };
    if (location === null) return `It responded with status ${status}.`;
    url = new URL(location, url).href;
  }
}
