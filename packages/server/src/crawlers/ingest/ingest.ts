import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../../problems.ts';
import { decompress } from '../../rows/decompress.ts';
import { openSource, reason } from '../../rows/source.ts';
import type { Store } from '../../storage/store.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { createIdentity } from '../hits/identity.ts';
import { readFileVersions } from '../ranges/operator-files.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createVerifier } from '../verify/verifier.ts';
import type { Verifier } from '../verify/verifier.ts';
import { createAgentMemo } from './agent-memo.ts';
import type { AgentMemo } from './agent-memo.ts';
import type { BatchContext } from './batch.ts';
import type { ReadOptions } from './feed.ts';
import { isCompressed, readCompressedLog } from './compressed-log.ts';
import { openPlainLog } from './plain-log.ts';
import { parseSite } from './read-options.ts';
import { readStream } from './stream-log.ts';
import { createTally } from './summary.ts';
import type { IngestSummary } from './summary.ts';

/** What the files of one ingest share. */
export interface IngestContext {
  readonly batchContext: BatchContext;
  readonly options: ReadOptions;
  /** Tells apart readings of one file under other options. */
  readonly optionsKey: string;
  readonly agents: AgentMemo;
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
  /** The words of the networks in `trusted`, which are part of how a file was read. */
  readonly trustedWords?: readonly string[];
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
  readonly why: string;
}

/**
 * Loads what an ingest judges by: the workspace's secret and bots, and operators' files. Throws a
 * `CommandError` (2) for a host that is none.
 */
export async function prepareIngest(
  store: Store,
  {
    workspaceId,
    keepsQuery = false,
    trustedWords = [],
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
  const identity = createIdentity(secret);
  let bots = await readWorkspaceBots(store.writer, workspaceId);
  const agents = createAgentMemo(createRecogniser(bots));
  const loadVerifier = async (): Promise<Verifier> => {
    const files = await readFileVersions(store.writer);
    return createVerifier({ files, bots, hostNames, clock });
  };
  let current = await loadVerifier();
  const verifier: Verifier = {
    judge: (request) => current.judge(request),
    wantsNames: (request, verdict) => current.wantsNames(request, verdict),
    judgeWithNames: (request, verdict) => current.judgeWithNames(request, verdict),
    findSigner: (line) => current.findSigner(line),
  };
  const tally = createTally();
  const { format, sinceMs, untilMs, host } = options;
  const since = sinceWords ?? sinceMs;
  const words = JSON.stringify([format, since, untilMs, host, trustedWords, keepsQuery]);
  return {
    batchContext: {
      store,
      workspaceId,
      identity,
      verifier,
      keepsQuery,
      clock,
      tally,
    },
    options,
    optionsKey: createHash('sha256').update(words).digest('base64url').slice(0, 16),
    agents,
    signal,
    onRead,
    refresh,
    takeUpBots,
  };

  async function refresh(): Promise<void> {
    current = await loadVerifier();
  }

  async function takeUpBots(): Promise<void> {
    const now = await readWorkspaceBots(store.writer, workspaceId);
    if (isDeepStrictEqual(now, bots)) return;
    bots = now;
    agents.takeUp(createRecogniser(bots));
    await refresh();
  }
}

/**
 * Reads log files, or standard input for `-`, into hits: plain files from where they were left. A file
 * that cannot be read is told at the end and does not keep the others from being read.
 */
export async function ingestFiles(
  paths: readonly string[],
  context: IngestContext,
  { stdin, fromStart = false }: { stdin: Readable; fromStart?: boolean },
): Promise<{
  readonly summary: IngestSummary;
  readonly failed: readonly FailedFile[];
  /** Files that had been read before, and were read on. */
  readonly resumed: readonly string[];
}> {
  const failed: FailedFile[] = [];
  const resumed: string[] = [];
  for (const path of paths) {
    if (context.signal.aborted) break;
    try {
      const isResumed = await ingestFile(path, context, { stdin, fromStart });
      if (isResumed) resumed.push(path);
    } catch (error) {
      const why = whyUnreadable(error);
      if (why === undefined) throw error;
      failed.push({ path, why });
    }
  }
  return { summary: context.batchContext.tally.summary(), failed, resumed };
}

/** Returns whether the file was read on from where it had been left. */
async function ingestFile(
  path: string,
  context: IngestContext,
  { stdin, fromStart }: { stdin: Readable; fromStart: boolean },
): Promise<boolean> {
  // A pipe has a name too: `/dev/stdin`, or what a shell makes of `<(zcat access.log.gz)`.
  if (path === '-' || isPipe(await stat(path))) {
    const { name, stream } = await openSource(path, { stdin });
    await readStream(decompress(stream, { name }), context);
    return false;
  }
  if (await isCompressed(path)) return readCompressedLog(path, context, { fromStart });
  const log = await openPlainLog(path, context, { fromStart });
  try {
    await log.read({ isLast: true });
    return log.resumedAt > 0;
  } finally {
    await log.close();
  }
}

function isPipe(found: Stats): boolean {
  return !found.isFile() && !found.isDirectory();
}

/** Why a file cannot be read; undefined for an error that is not the file's. */
export function whyUnreadable(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.message;
  const isOfFile = error instanceof Error && 'syscall' in error && 'code' in error;
  if (!isOfFile) return undefined;
  return error.code === 'EISDIR' ? 'it is a folder' : reason(error);
}
