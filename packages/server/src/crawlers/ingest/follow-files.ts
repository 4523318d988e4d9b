import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCompressed } from '../../rows/decompress.ts';
import { settleDays } from '../hits/settle-days.ts';
import type { IngestContext } from './prepare-ingest.ts';
import { whyUnreadable } from './ingest.ts';
import type { FailedFile } from './ingest.ts';
import { findLogState, fileKeyOf } from './log-state.ts';
import { openPlainLog } from './plain-log.ts';
import type { PlainLog } from './plain-log.ts';

const pollMs = 250;
const refreshMs = 3_600_000;
/** After a rotation a server may write to the old file until its connections end. */
const graceMs = 60_000;
/** Settling a busy day takes long: spend at most 1 / `settleShare` of the time on it. */
const settleShare = 20;

/**
 * Reads files and what is added to them until the signal aborts. A renamed file is read on beside the
 * new one of its name until it stops growing. A truncated file is read from its beginning. A file that
 * is missing or unreadable is waited for.
 */
export async function followFiles(
  paths: readonly string[],
  context: IngestContext,
  {
    isFromStart = false,
    waitMs = pollMs,
    everyMs = refreshMs,
    quietMs = graceMs,
    onRefresh = async () => {},
  }: {
    isFromStart?: boolean;
    waitMs?: number;
    /** How often the lists are read again. */
    everyMs?: number;
    /** How long a renamed file must not grow before it is closed. */
    quietMs?: number;
    /** Called before the lists are read again: fetches lists, prunes addresses. */
    onRefresh?: () => Promise<unknown>;
  } = {},
) {
  const quietPolls = Math.ceil(quietMs / waitMs);
  const followed = paths.map((path) => createFollowed(path, context, { isFromStart, quietPolls }));
  const { signal, clock, store, workspaceId } = context;
  let refreshedMs = clock();
  let settleFromMs = -Infinity;
  try {
    while (!signal.aborted) {
      if (Math.abs(clock() - refreshedMs) >= everyMs) {
        refreshedMs = clock();
        await onRefresh();
        await context.refresh();
      }
      for (const file of followed) await file.poll();
      if (clock() >= settleFromMs) {
        const beganMs = clock();
        await settleDays(store, workspaceId);
        settleFromMs = clock() + settleShare * (clock() - beganMs);
      }
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    for (const file of followed) await file.close();
  }
  const failed = followed.flatMap(({ failure }) => failure() ?? []);
  await settleDays(store, workspaceId);
  return { summary: context.tally.summarise(), failed, resumed: [], waiting: [] };
}

/** A file that had the name before it was rotated. */
interface RenamedLog {
  readonly log: PlainLog;
  /** For how many polls in a row the file has not grown. */
  quietPolls: number;
}

function createFollowed(
  path: string,
  context: IngestContext,
  { isFromStart, quietPolls }: { isFromStart: boolean; quietPolls: number },
) {
  let log: PlainLog | undefined;
  let renamed: RenamedLog[] = [];
  let isFirst = true;
  let mayBeRotated = !isFromStart;
  let failure: FailedFile | undefined;
  return { poll, close, failure: () => failure };

  async function poll(): Promise<void> {
    try {
      if (mayBeRotated) renamed = await openRenamed(path, context);
      mayBeRotated = false;
      await readRenamed();
      log ??= await openNext();
      await log.read();
      if (!log.isIntact) {
        await closeLog();
        log = await openNext();
        await log.read();
      }
      if (await isReplaced(log)) {
        renamed.push({ log, quietPolls: 0 });
        log = undefined;
      }
      failure = undefined;
    } catch (error) {
      failure = { path, why: whyUnreadable(error, path) };
      await closeLog();
    }
  }

  async function openNext(): Promise<PlainLog> {
    const next = await openPlainLog(path, context, { isFromStart: isFromStart && isFirst });
    isFirst = false;
    return next;
  }

  async function readRenamed(): Promise<void> {
    for (const one of renamed) {
      const hasMore = await one.log.read();
      one.quietPolls = hasMore ? 0 : one.quietPolls + 1;
      if (one.quietPolls < quietPolls) continue;
      if (one.log.isIntact) await one.log.finish();
      await one.log.close();
    }
    renamed = renamed.filter((one) => one.quietPolls < quietPolls);
  }

  /** Whether another file has the name now. */
  async function isReplaced({ fileKey }: PlainLog): Promise<boolean> {
    const current = await stat(path, { bigint: true }).catch(() => undefined);
    // Between a rename and the new file no file has the name, and the open one may still grow.
    return current !== undefined && fileKeyOf(current) !== fileKey;
  }

  async function close(): Promise<void> {
    await closeLog();
    for (const one of renamed) await one.log.close();
  }

  async function closeLog(): Promise<void> {
    const closing = log;
    log = undefined;
    await closing?.close();
  }
}

/**
 * Opens the files in the same folder that were read under this path: if the log was rotated while
 * nothing followed it, they have unread lines, and a server may still write to them.
 */
async function openRenamed(path: string, context: IngestContext): Promise<RenamedLog[]> {
  const folder = dirname(path);
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  const renamed: RenamedLog[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const sibling = join(folder, name);
    const siblingStats = await stat(sibling, { bigint: true }).catch(() => undefined);
    if (
      siblingStats?.isFile() !== true ||
      (stats !== undefined && fileKeyOf(siblingStats) === fileKeyOf(stats))
    )
      continue;
    const state = await findLogState(fileKeyOf(siblingStats), context);
    if (state === undefined || resolve(state.path) !== resolve(path)) continue;
    if (state.read_bytes <= Number(siblingStats.size) && !(await isCompressed(sibling))) {
      renamed.push({ log: await openPlainLog(sibling, context, { name: path }), quietPolls: 0 });
    }
  }
  return renamed;
}
