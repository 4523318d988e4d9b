import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCompressed } from './compressed-log.ts';
import { summarise, whyUnreadable } from './ingest.ts';
import type { FailedFile, IngestContext, IngestResult } from './ingest.ts';
import { findLogState } from './log-state.ts';
import { keyOf, openPlainLog } from './plain-log.ts';
import type { PlainLog } from './plain-log.ts';

const pollMs = 250;
const refreshMs = 3_600_000;
/** A server that was told to write to the new file may go on with the old one until its clients are gone. */
const graceMs = 60_000;

/**
 * Reads files and whatever is added to them until the signal aborts. A file that was renamed is read on
 * beside the new one of its name until nothing comes any more; one that was cut is read from its
 * beginning; one that is not there, or cannot be read just now, is waited for.
 */
export async function followFiles(
  paths: readonly string[],
  context: IngestContext,
  {
    fromStart = false,
    waitMs = pollMs,
    everyMs = refreshMs,
    quietMs = graceMs,
    onRefresh = async () => {},
  }: {
    fromStart?: boolean;
    waitMs?: number;
    /** How often newer lists are taken up. */
    everyMs?: number;
    /** For how long nothing comes to a renamed file until it is left. */
    quietMs?: number;
    /** Done before that: fetches lists, prunes addresses. */
    onRefresh?: () => Promise<unknown>;
  } = {},
): Promise<IngestResult> {
  const quietPolls = Math.ceil(quietMs / waitMs);
  const followed = paths.map((path) => createFollowed(path, context, { fromStart, quietPolls }));
  const { signal } = context;
  const { clock } = context.batchContext;
  try {
    let refreshedMs = clock();
    while (!signal.aborted) {
      // Somebody who follows a log for months must not judge by the lists of its first day.
      if (Math.abs(clock() - refreshedMs) >= everyMs) {
        refreshedMs = clock();
        await onRefresh();
        await context.refresh();
      }
      for (const file of followed) await file.poll();
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  } finally {
    for (const file of followed) await file.close();
  }
  const failed = followed.flatMap(({ failure }) => failure() ?? []);
  return { summary: await summarise(context), failed, resumed: [], waiting: [] };
}

function createFollowed(
  path: string,
  context: IngestContext,
  { fromStart, quietPolls }: { fromStart: boolean; quietPolls: number },
) {
  let log: PlainLog | undefined;
  let renamed: Renamed[] = [];
  let isFirst = true;
  let mayBeRotated = !fromStart;
  let why: FailedFile['why'] | undefined;
  return { poll, close, failure: () => (why === undefined ? undefined : { path, why }) };

  async function poll(): Promise<void> {
    try {
      if (mayBeRotated) renamed = await openRenamed(path, context);
      mayBeRotated = false;
      await readRenamed();
      log ??= await openNext();
      if (!(await log.isIntact())) {
        await closeLog();
        log = await openNext();
      }
      await log.read();
      if (await isReplaced(log)) {
        renamed.push({ log, quietPolls: 0 });
        log = undefined;
      }
      why = undefined;
    } catch (error) {
      const reason = whyUnreadable(error);
      if (reason === undefined) throw error;
      why = reason;
      await closeLog();
    }
  }

  async function openNext(): Promise<PlainLog> {
    const next = await openPlainLog(path, context, { fromStart: fromStart && isFirst });
    isFirst = false;
    return next;
  }

  async function readRenamed(): Promise<void> {
    for (const one of renamed) {
      const hasMore = (await one.log.isIntact()) && (await one.log.read());
      one.quietPolls = hasMore ? 0 : one.quietPolls + 1;
      if (one.quietPolls < quietPolls) continue;
      if (await one.log.isIntact()) await one.log.finish();
      await one.log.close();
    }
    renamed = renamed.filter((one) => one.quietPolls < quietPolls);
  }

  /** Whether another file has the name now. */
  async function isReplaced({ fileKey }: PlainLog): Promise<boolean> {
    const now = await stat(path, { bigint: true }).catch(() => undefined);
    // The name is gone between a rename and the new file: what is still open may go on growing.
    if (now === undefined) return false;
    return keyOf(now) !== fileKey;
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
 * The files beside this one that were read under its name: if it was rotated while nothing followed it,
 * they have lines that were not read, and a server may still write to them.
 */
async function openRenamed(path: string, context: IngestContext): Promise<Renamed[]> {
  const { batchContext, optionsKey } = context;
  const folder = dirname(path);
  const own = await stat(path, { bigint: true }).catch(() => undefined);
  const renamed: Renamed[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const sibling = join(folder, name);
    const found = await stat(sibling, { bigint: true }).catch(() => undefined);
    if (found?.isFile() !== true || (own !== undefined && keyOf(found) === keyOf(own))) continue;
    const { store, workspaceId } = batchContext;
    const key = { fileKey: keyOf(found), optionsKey };
    const known = await findLogState(store.writer, workspaceId, key);
    if (known === undefined || resolve(known.path) !== resolve(path)) continue;
    if (known.readBytes <= Number(found.size) && !(await isCompressed(sibling))) {
      renamed.push({ log: await openPlainLog(sibling, context, { name: path }), quietPolls: 0 });
    }
  }
  return renamed;
}

/** A file that had the name before. */
interface Renamed {
  readonly log: PlainLog;
  /** How often in a row nothing was added. */
  quietPolls: number;
}
