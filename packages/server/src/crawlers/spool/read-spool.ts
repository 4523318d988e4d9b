import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../storage/store.ts';
import { pruneAddresses } from '../hits/prune-addresses.ts';
import { settleDays } from '../hits/settle-days.ts';
import { createFeed } from '../ingest/feed.ts';
import { createIngestTally } from '../ingest/ingest-tally.ts';
import type { IngestSummary } from '../ingest/ingest-tally.ts';
import { prepareIngest } from '../ingest/prepare-ingest.ts';
import type { IngestContext } from '../ingest/prepare-ingest.ts';
import { plural } from '../../values/plural.ts';
import { keepUnknown, listSpool, removeUnknown } from './spool.ts';
import type { SpoolFile } from './spool.ts';

/** Files that came meanwhile share their commits, whose syncs of the disk would slow the API. */
const waitMs = 500;
/** How long to wait after a failure, such as a database that cannot be reached. */
const failedMs = 5000;
/** How often the operators' lists are read again, and old addresses and files dropped. */
const refreshMs = 3_600_000;
/** Settling a busy day takes long: spend about 1 / `settleShare` of the time on it. */
const settleShare = 20;
/** How long after the end of a receiver its lines may arrive: they were on their way. */
const endedMs = 60_000;
/** Bytes of one receiver that are read before it is another receiver's turn. */
const turnBytes = 16_000_000;

/** A receiver as its lines need it. */
interface LineReceiver {
  readonly id: string;
  readonly workspace_id: string;
  readonly site: string | null;
  readonly format: string;
  readonly ended_at: string | null;
}

interface Reading {
  readonly receiver: LineReceiver;
  readonly context: IngestContext;
  readonly preparedMs: number;
}

/**
 * Reads the spool into hits until the signal aborts. A file is removed once all its hits are
 * committed, so after a crash it is read again: identical lines are one hit.
 */
export async function readSpool(
  store: Store,
  folder: string,
  {
    clock,
    signal,
    onFailure,
  }: { clock: () => number; signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  const readings = new Map<string, Reading>();
  /** When the lines of a receiver could not be read. */
  const failedAtMs = new Map<string, number>();
  /** Workspaces whose hits are to be settled, and whose old addresses are to be dropped. */
  const unsettled = new Set<string>();
  let settledMs = -Infinity;
  let pauseMs = 0;
  let sweptMs = -Infinity;
  // A clock may be set back, which must not make a wait longer.
  const isPast = (sinceMs: number, ms: number) => Math.abs(clock() - sinceMs) >= ms;
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  while (!signal.aborted) {
    try {
      if (isPast(sweptMs, refreshMs)) await sweep();
      const files = Map.groupBy(await listSpool(folder), ({ receiverId }) => receiverId);
      const due = [...files].filter(([id]) => isPast(failedAtMs.get(id) ?? -Infinity, failedMs));
      let isBehind = false;
      for (const [receiverId, waiting] of due) {
        isBehind = (await tryTurn(receiverId, waiting)) || isBehind;
      }
      await settle();
      if (!isBehind) await wait(waitMs);
    } catch (error) {
      onFailure(store.mapFailure(error));
      // A workspace that was not settled is tried again, if it still exists.
      sweptMs = -Infinity;
      await wait(failedMs);
    }
  }

  /**
   * Reads what one receiver took, and returns whether there is more than for one turn. A failure,
   * which is reported once, stops no other receiver.
   */
  async function tryTurn(receiverId: string, waiting: readonly SpoolFile[]): Promise<boolean> {
    if (signal.aborted) return false;
    try {
      const readCount = await readTurn(receiverId, waiting);
      failedAtMs.delete(receiverId);
      return readCount < waiting.length;
    } catch (error) {
      readings.delete(receiverId);
      if (!failedAtMs.has(receiverId)) onFailure(store.mapFailure(error));
      failedAtMs.set(receiverId, clock());
      return false;
    }
  }

  /** Returns how many of the files need no further turn. */
  async function readTurn(receiverId: string, waiting: readonly SpoolFile[]): Promise<number> {
    const reading = await prepare(receiverId);
    if (reading === undefined) {
      // Its workspace was removed, or this is not the database that the lines came for.
      for (const file of waiting) await keepUnknown(file, clock);
      onFailure(
        new Error(
          `The database does not know the receiver ${receiverId}. Its lines, ${plural(waiting.length, 'file')}, are kept for 30 days as *.unknown in ${folder}.`,
        ),
      );
      return waiting.length;
    }
    const { receiver, context } = reading;
    if (await removeLate(waiting, receiver)) return 0;
    await context.refresh({ isForNewBots: true });
    const { files, receivedMs } = await takeTurn(waiting);
    const summary = await readFiles(files, context);
    if (signal.aborted) return 0;
    await noteReceived(store, receiver, { summary, receivedMs });
    for (const { path } of files) await rm(path, { force: true });
    unsettled.add(receiver.workspace_id);
    return files.length;
  }

  /** The receiver with the rules of its workspace, no older than `refreshMs`. */
  async function prepare(receiverId: string): Promise<Reading | undefined> {
    // Look each time, because hits must not be written for a workspace that is gone.
    const receiver = await store.access
      .selectFrom('receivers')
      .select(['id', 'workspace_id', 'site', 'format', 'ended_at'])
      .where('id', '=', receiverId)
      .executeTakeFirst();
    const known = readings.get(receiverId);
    readings.delete(receiverId);
    if (receiver === undefined) return undefined;
    if (known !== undefined && !isPast(known.preparedMs, refreshMs)) {
      const reading = { ...known, receiver };
      readings.set(receiverId, reading);
      return reading;
    }
    const { workspace_id: workspaceId, format, site } = receiver;
    const host = site ?? undefined;
    const context = await prepareIngest(store, { workspaceId, format, host, clock, signal });
    const reading = { receiver, context, preparedMs: clock() };
    readings.set(receiverId, reading);
    return reading;
  }

  async function settle(): Promise<void> {
    for (const workspaceId of unsettled) {
      if (signal.aborted || !isPast(settledMs, pauseMs)) return;
      unsettled.delete(workspaceId);
      const beganMs = clock();
      await settleDays(store, workspaceId);
      await pruneAddresses(store, workspaceId, { nowMs: clock() });
      settledMs = clock();
      pauseMs = Math.min(refreshMs, settleShare * Math.abs(settledMs - beganMs));
    }
  }

  /** Leaves every workspace that has receivers to be settled: its addresses age without new lines. */
  async function sweep(): Promise<void> {
    await removeUnknown(folder, clock);
    const receivers = await store.access.selectFrom('receivers').select('workspace_id').execute();
    for (const { workspace_id: workspaceId } of receivers) unsettled.add(workspaceId);
    sweptMs = clock();
  }
}

/** Removes what came after a receiver had ended, while a server could not know. Returns whether any did. */
async function removeLate(
  waiting: readonly SpoolFile[],
  { ended_at: endedAt }: LineReceiver,
): Promise<boolean> {
  if (endedAt === null) return false;
  let hasRemoved = false;
  for (const { path } of waiting) {
    const { mtimeMs } = await stat(path);
    if (mtimeMs <= Date.parse(endedAt) + endedMs) continue;
    await rm(path, { force: true });
    hasRemoved = true;
  }
  return hasRemoved;
}

async function takeTurn(waiting: readonly SpoolFile[]) {
  const files: SpoolFile[] = [];
  let [bytes, receivedMs] = [0, 0];
  for (const file of waiting) {
    const { size, mtimeMs } = await stat(file.path);
    if (files.length > 0 && bytes + size > turnBytes) break;
    files.push(file);
    bytes += size;
    receivedMs = mtimeMs;
  }
  return { files, receivedMs };
}

/** Reads files as one log. Counts them alone, whatever the context was used for before. */
async function readFiles(
  files: readonly SpoolFile[],
  prepared: IngestContext,
): Promise<IngestSummary> {
  const context = { ...prepared, tally: createIngestTally() };
  const feed = createFeed(context);
  for (const { path } of files) {
    const chunks: AsyncIterable<Buffer> = createReadStream(path);
    for await (const chunk of chunks) {
      if (context.signal.aborted) return context.tally.summarise();
      await feed.push(chunk);
      if (feed.batch.isFull) await feed.batch.flush();
    }
  }
  await feed.finish();
  await feed.batch.flush();
  return context.tally.summarise();
}

/** Counts lines for the page. A crash after this may count lines twice, but never their hits. */
async function noteReceived(
  { access }: Pick<Store, 'access'>,
  { id }: LineReceiver,
  { summary, receivedMs }: { summary: IngestSummary; receivedMs: number },
): Promise<void> {
  const skips = summary.skips.filter(({ reason }) => reason !== 'blank');
  const blank = summary.skips.find(({ reason }) => reason === 'blank')?.lines ?? 0;
  const receivedAt = new Date(receivedMs).toISOString();
  await access
    .updateTable('receivers')
    .set((row) => ({
      received_at: receivedAt,
      lines: row('lines', '+', summary.lines - blank),
      hits: row('hits', '+', summary.hitsNew),
      skipped: row('skipped', '+', summary.skipped - blank),
      ...(skips.length > 0 && {
        skipped_at: receivedAt,
        skips: JSON.stringify(Object.fromEntries(skips.map((each) => [each.reason, each.lines]))),
      }),
    }))
    .where('id', '=', id)
    .execute();
}
