import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../../problems.ts';
import { isRefusal } from '../../refusals.ts';
import type { Refusal } from '../../refusals.ts';
import { decompress } from '../../rows/decompress.ts';
import { openSource, reason } from '../../rows/source.ts';
import type { Store } from '../../storage/store.ts';
import { createRecogniser, rememberAgents } from '../bots/recognise.ts';
import type { Recogniser } from '../bots/recognise.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { createIdentity } from '../hits/identity.ts';
import { createManyOperators } from '../hits/many-operators.ts';
import { createNoneVerified } from '../hits/none-verified.ts';
import type { Network } from '../networks.ts';
import { createLists } from '../operators/lists.ts';
import { readFileVersions } from '../operators/file-versions.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createVerifier } from '../verify/verifier.ts';
import type { Verifier } from '../verify/verifier.ts';
import type { BatchContext } from './batch.ts';
import { isCompressed, readCompressedLog } from './compressed-log.ts';
import { openPlainLog } from './plain-log.ts';
import { parseSite } from './read-options.ts';
import { readStream } from './stream-log.ts';
import { createTally } from './summary.ts';
import type { IngestSummary } from './summary.ts';
import { createTrustedProxies } from './trusted-proxies.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** How lines are read, besides what they say themselves. */
export interface ReadOptions {
  /** `auto`, the name of a format, or `fields=...`. */
  readonly format: string;
  /** Only hits from this moment on, milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
  /** Only hits before this moment. */
  readonly untilMs?: number | undefined;
  /** The site's name where the log does not say. */
  readonly host?: string | undefined;
  /** Prefixes of one's own that translate IPv4 into IPv6. */
  readonly nat64?: readonly Network[] | undefined;
}

/** What the files of one ingest share. */
export interface IngestContext {
  readonly batchContext: BatchContext;
  readonly options: ReadOptions;
  /** Tells apart readings of one file under other options. */
  readonly optionsKey: string;
  readonly recognise: Recogniser;
  /** The proxies whose headers are believed, by the lists that are here now. */
  readonly proxies: { readonly current: TrustedProxies | undefined };
  readonly signal: AbortSignal;
  /** Told how many bytes have been read. */
  readonly onRead: (bytes: number) => void;
  /** Judges by the operators' files that are here by now. */
  readonly refresh: () => Promise<void>;
  /** Reads from now on for the bots that the workspace has by now. */
  readonly takeUpBots: () => Promise<void>;
}

export interface IngestOptions extends ReadOptions {
  readonly workspaceId: string;
  /** Keeps queries in the hits' paths. */
  readonly keepsQuery?: boolean;
  /** Networks, and names of content networks, whose headers are believed. */
  readonly trusted?: readonly string[];
  /**
   * What `sinceMs` was written as, where it is so long ago: a bound that moves on leaves nothing to be
   * read again.
   */
  readonly sinceWords?: string | undefined;
  readonly hostNames?: HostNames | undefined;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly onRead?: (bytes: number) => void;
}

/** A file that could not be read, and why. */
export interface FailedFile {
  readonly path: string;
  readonly why: string | Refusal;
}

/**
 * Loads what an ingest judges by: the workspace's secret and bots, and operators' files. Throws a
 * `CommandError` (2) for a host that is none, and for a proxy that is unknown.
 */
export async function prepareIngest(
  store: Store,
  {
    workspaceId,
    keepsQuery = false,
    trusted = [],
    sinceWords,
    hostNames,
    clock,
    signal,
    onRead = () => {},
    host: site,
    ...rest
  }: IngestOptions,
): Promise<IngestContext> {
  const options = { ...rest, host: parseSite(site) };
  const { secret } = await readCrawlerSettings(store, workspaceId);
  let bots = await readWorkspaceBots(store.writer, workspaceId);
  let recogniser = rememberAgents(createRecogniser(bots));
  let verifier: Verifier | undefined;
  const proxies: { current: TrustedProxies | undefined } = { current: undefined };
  await refresh();
  const words = JSON.stringify([
    options.format,
    sinceWords ?? options.sinceMs,
    options.untilMs,
    options.host,
    trusted,
    keepsQuery,
    ...(options.nat64?.map(({ text }) => text) ?? []),
  ]);
  return {
    batchContext: {
      store,
      workspaceId,
      identity: createIdentity(secret),
      verifier: {
        judge: (request) => current().judge(request),
        wantsNames: (request, verdict) => current().wantsNames(request, verdict),
        judgeWithNames: (request, verdict) => current().judgeWithNames(request, verdict),
        findSigner: (line) => current().findSigner(line),
      },
      manyOperators: createManyOperators(),
      noneVerified: createNoneVerified(),
      keepsQuery,
      clock,
      tally: createTally(),
    },
    options,
    optionsKey: createHash('sha256').update(words).digest('base64url').slice(0, 16),
    recognise: (userAgent) => recogniser(userAgent),
    proxies,
    signal,
    onRead,
    refresh,
    takeUpBots,
  };

  function current(): Verifier {
    if (verifier === undefined) throw new Error('The lists have not been loaded');
    return verifier;
  }

  async function refresh(): Promise<void> {
    const files = await readFileVersions(store.writer);
    verifier = createVerifier({ files, bots, hostNames, clock });
    proxies.current = createTrustedProxies(trusted, { lists: createLists(files), clock });
  }

  async function takeUpBots(): Promise<void> {
    const now = await readWorkspaceBots(store.writer, workspaceId);
    if (isDeepStrictEqual(now, bots)) return;
    bots = now;
    recogniser = rememberAgents(createRecogniser(bots));
    await refresh();
  }
}

/** What became of the files of an ingest. */
export interface IngestResult {
  readonly summary: IngestSummary;
  readonly failed: readonly FailedFile[];
  /** Files that had been read before, and were read on. */
  readonly resumed: readonly string[];
  /** Files whose last line has no newline yet, and waits for it. */
  readonly waiting: readonly string[];
}

/**
 * Reads log files, or standard input for `-`, into hits: plain files from where they were left. A file
 * that cannot be read is told at the end and does not keep the others from being read.
 */
export async function ingestFiles(
  paths: readonly string[],
  context: IngestContext,
  { stdin, fromStart = false }: { stdin: Readable; fromStart?: boolean },
): Promise<IngestResult> {
  const failed: FailedFile[] = [];
  const resumed: string[] = [];
  const waiting: string[] = [];
  for (const path of paths) {
    if (context.signal.aborted) break;
    try {
      const file = await ingestFile(path, context, { stdin, fromStart });
      if (file.isResumed) resumed.push(path);
      if (file.isWaiting) waiting.push(path);
    } catch (error) {
      const why = whyUnreadable(error);
      if (why === undefined) throw error;
      failed.push({ path, why });
    }
  }
  return { summary: await summarise(context), failed, resumed, waiting };
}

/** Sums up what has been read, by what the database holds. */
export function summarise({ batchContext }: IngestContext): Promise<IngestSummary> {
  const { store, workspaceId, tally } = batchContext;
  return tally.summarise(store.writer, workspaceId);
}

interface ReadFile {
  /** Whether the file was read on from where it had been left. */
  readonly isResumed: boolean;
  readonly isWaiting: boolean;
}

const whole: ReadFile = { isResumed: false, isWaiting: false };

async function ingestFile(
  path: string,
  context: IngestContext,
  { stdin, fromStart }: { stdin: Readable; fromStart: boolean },
): Promise<ReadFile> {
  // A pipe has a name too: `/dev/stdin`, or what a shell makes of `<(zcat access.log.gz)`.
  if (path === '-' || isPipe(await stat(path))) {
    const { name, stream } = await openSource(path, { stdin });
    await readStream(decompress(stream, { name }), context);
    return whole;
  }
  if (await isCompressed(path)) {
    return { ...whole, isResumed: await readCompressedLog(path, context, { fromStart }) };
  }
  const log = await openPlainLog(path, context, { fromStart });
  try {
    await log.read();
    return { isResumed: log.resumedAt > 0, isWaiting: log.isWaiting };
  } finally {
    await log.close();
  }
}

function isPipe(found: Stats): boolean {
  return !found.isFile() && !found.isDirectory();
}

/** Why a file cannot be read; undefined for an error that is not the file's. */
export function whyUnreadable(error: unknown): string | Refusal | undefined {
  if (isRefusal(error)) return error;
  if (error instanceof CommandError) return error.message;
  const isOfFile = error instanceof Error && 'syscall' in error && 'code' in error;
  if (!isOfFile) return undefined;
  return error.code === 'EISDIR' ? 'it is a folder' : reason(error);
}
