import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { assumeType } from '../../values/assume-type.ts';
import type { PriceRow } from '../../collect/engines/prices.ts';
import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import type { ReportName, ReportQuery, ReportResult } from './run-report.ts';
import { readRevision } from '../../api/response/entity-tag.ts';
import type {
  ApiDependencies,
  FoundBody,
  ReportBodyQuery,
} from '../../api/service/dependencies.ts';
import { createThreadPool } from './thread-pool.ts';

/** How the thread starts. */
export interface ReaderStart {
  /** The address of the database, which a thread opens itself. */
  readonly database: string;
  /** The operator's prices, for the cost of asking engines. */
  readonly prices: readonly PriceRow[];
}

/** A request to a thread: the report of a page, or the body of a response of the API. */
export type ReportRequest = { readonly workspaceId: string } & (
  | { readonly name: ReportName; readonly query: ReportQuery<ReportName> }
  | Omit<ReportBodyQuery, 'revision'>
);

/** What a thread responds to a request. */
export type ReadOutcome =
  | { readonly json: string }
  | { readonly body: SentBody }
  | { readonly refusal: Pick<Refusal, 'code' | 'facts'> }
  | { readonly error: unknown };

/** A body as it arrives from the thread. */
type SentBody = Omit<FoundBody, 'body'> & { readonly body: Uint8Array };

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
  /** The reports of a workspace, for pages. */
  of(workspaceId: string): WorkspaceReports;
  /** Reads the body of a report of the API. Throws as reports of pages do. */
  readonly readBody: ApiDependencies['readReport'];
  /** Starts the threads and waits for the first, so that no page waits for one to start. */
  open(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Size of the cache of pages' reports, which are JSON, including the keys, because a filter can be as
 * long as an address.
 */
const cacheBytes = 32 * 1024 * 1024;
/** Bytes of an entry besides its text. */
const entryBytes = 500;

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

/**
 * Makes the reader. Its threads start with `open` or the first report. Requests for the same report
 * wait for the same reading. Reports of pages are cached until the workspace changes or the UTC day
 * ends; the API has a cache of its own.
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
  const workerData: ReaderStart = { database, prices };
  const { ask, open, stop } = createThreadPool({ start: () => new Worker(entry, { workerData }) });
  const pending = new Map<string, Promise<ReadOutcome>>();
  return { of, readBody, open, stop };

  function of(workspaceId: string): WorkspaceReports {
    return {
      read: async <Name extends ReportName>(name: Name, query: ReportQuery<Name>) => {
        const revision = await readRevision(store.reader, workspaceId);
        const key = JSON.stringify([workspaceId, revision, utcDay(clock()), name, query]);
        const json = cache.get(key) ?? (await readJson(key, { workspaceId, name, query }));
        return assumeType<ReportResult<Name>>(JSON.parse(json));
      },
    };
  }

  async function readJson(key: string, request: ReportRequest): Promise<string> {
    const outcome = await readOnce(key, request);
    if (!('json' in outcome)) throw failureOf(outcome);
    cache.set(key, outcome.json);
    return outcome.json;
  }

  async function readBody({ revision, ...request }: ReportBodyQuery): Promise<FoundBody> {
    const { workspaceId, endpoint, search, today } = request;
    const key = JSON.stringify(['api', workspaceId, revision, today, endpoint, search]);
    const outcome = await readOnce(key, request);
    if (!('body' in outcome)) throw failureOf(outcome);
    const { buffer, byteOffset, byteLength } = outcome.body.body;
    return { ...outcome.body, body: Buffer.from(buffer, byteOffset, byteLength) };
  }

  function readOnce(key: string, request: ReportRequest): Promise<ReadOutcome> {
    const running = pending.get(key);
    if (running !== undefined) return running;
    const { workspaceId } = request;
    const reading = ask(request, { workspaceId, isApi: 'endpoint' in request })
      .then((message) => assumeType<ReadOutcome>(message))
      .finally(() => pending.delete(key));
    pending.set(key, reading);
    return reading;
  }
}

function failureOf(outcome: ReadOutcome): unknown {
  if ('refusal' in outcome) return new Refusal(outcome.refusal.code, outcome.refusal.facts);
  return 'error' in outcome ? outcome.error : new Error('The thread has read something else');
}
