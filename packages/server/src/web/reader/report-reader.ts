import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { assumeType } from '../../values/assume-type.ts';
import type { PriceRow } from '../../collect/engines/prices.ts';
import { Refusal } from '../../refusals.ts';
import { createGate } from '../../storage/gate.ts';
import type { Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import type { ReportName, ReportQuery, ReportResult } from './run-report.ts';
import { readRevision } from '../../api/response/entity-tag.ts';

/** How the thread starts. */
export interface ReaderStart {
  /** The address of the database, which the thread opens itself. */
  readonly database: string;
  /** The operator's prices, for the cost of asking engines. */
  readonly prices: readonly PriceRow[];
}

/** A request to the thread to read a report. */
export interface ReportRequest {
  readonly workspaceId: string;
  readonly name: ReportName;
  readonly query: ReportQuery<ReportName>;
}

/** What the thread responds to a request. */
export type ReadOutcome =
  | { readonly json: string }
  | { readonly refusal: Pick<Refusal, 'code' | 'facts'> }
  | { readonly error: unknown };

/** The reports of one workspace. */
export interface WorkspaceReports {
  /**
   * Reads a report of the workspace's current data. Throws a `Refusal` if the report takes too
   * long, and errors of the database as they are: the error handler of the pages maps them.
   */
  read<Name extends ReportName>(name: Name, query: ReportQuery<Name>): Promise<ReportResult<Name>>;
}

/** Reads reports outside the server's event loop. */
export interface ReportReader {
  of(workspaceId: string): WorkspaceReports;
  /** Starts the thread, so that the first page does not wait for it. */
  open(): void;
  stop(): Promise<void>;
}

/** A page waits for at most 10 seconds. */
const readMs = 9000;
/**
 * Size of the cache of reports, which are JSON, including the keys, because a filter can be as long
 * as an address.
 */
const cacheBytes = 32 * 1024 * 1024;
/** Bytes of an entry besides its text. */
const entryBytes = 500;
/** Most waiting reports of one workspace, more than the thread can read while one waits. */
const waitingMaxOfWorkspace = 40;

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

/**
 * Makes the reader. Its thread starts with `open` or the first report. It reads one report after
 * the other, with workspaces taking turns, and is restarted after it died or took too long. Results
 * are cached until the workspace changes or the UTC day ends.
 */
export function createReportReader({
  store,
  database,
  prices = [],
  clock,
}: {
  store: Pick<Store, 'reader'>;
  clock: () => number;
} & Pick<ReaderStart, 'database'> &
  Partial<ReaderStart>): ReportReader {
  const cache = new LRUCache<string, string>({
    maxSize: cacheBytes,
    // A character takes at most two bytes.
    sizeCalculation: (json, key) => 2 * (json.length + key.length) + entryBytes,
  });
  const gate = createGate({ max: 1, maxOfOwner: 1, waitingMaxOfOwner: waitingMaxOfWorkspace });
  const pending = new Map<string, Promise<string>>();
  let worker: Worker | undefined;
  return { of, open, stop };

  function of(workspaceId: string): WorkspaceReports {
    return {
      read: async <Name extends ReportName>(name: Name, query: ReportQuery<Name>) => {
        const revision = await readRevision(store.reader, workspaceId);
        const key = JSON.stringify([workspaceId, revision, utcDay(clock()), name, query]);
        const json = cache.get(key) ?? (await readOnce(key, { workspaceId, name, query }));
        return assumeType<ReportResult<Name>>(JSON.parse(json));
      },
    };
  }

  /** Requests for the same report wait for the same reading. */
  function readOnce(key: string, request: ReportRequest): Promise<string> {
    const running = pending.get(key);
    if (running !== undefined) return running;
    const read = ask(request);
    pending.set(key, read);
    void read
      .then((json) => cache.set(key, json))
      .catch(() => {})
      .finally(() => pending.delete(key));
    return read;
  }

  async function ask(request: ReportRequest): Promise<string> {
    const leave = await gate.enter(request.workspaceId);
    try {
      const outcome = await send((worker ??= start()), request);
      if ('json' in outcome) return outcome.json;
      if ('refusal' in outcome) throw new Refusal(outcome.refusal.code, outcome.refusal.facts);
      throw outcome.error;
    } finally {
      leave();
    }
  }

  function send(thread: Worker, request: ReportRequest): Promise<ReadOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: ReadOutcome): void => {
        clearTimeout(timeout);
        thread.off('message', onMessage).off('error', onError).off('exit', onExit);
        resolve(outcome);
      };
      const onMessage = (message: unknown) => settle(assumeType<ReadOutcome>(message));
      const onError = (error: unknown) => settle({ error });
      const onExit = () => settle({ refusal: { code: 'database_slow', facts: {} } });
      const timeout = setTimeout(() => void thread.terminate(), readMs);
      thread.on('message', onMessage).on('error', onError).on('exit', onExit);
      thread.postMessage(request);
    });
  }

  function start(): Worker {
    const thread = new Worker(entry, { workerData: { database, prices } satisfies ReaderStart });
    thread.unref();
    // Without a listener an error of an idle thread would end the process.
    thread.on('error', () => {});
    thread.once('exit', () => {
      if (worker === thread) worker = undefined;
    });
    return thread;
  }

  function open(): void {
    worker ??= start();
  }

  async function stop(): Promise<void> {
    await worker?.terminate();
  }
}
