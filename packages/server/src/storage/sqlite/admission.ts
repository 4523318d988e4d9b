import { setTimeout } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { coalesce } from './coalesce.ts';
import type { Admission, AdmissionRequest, KeyRecord, QuotaState, Store } from '../store.ts';
import { isBusy } from './failures.ts';
import type { QuotaLog, UncountedRequest } from './quota-log.ts';

/**
 * Other processes may hold the file while they commit or copy its log back. After this many tries,
 * about half a second, a request is admitted uncounted.
 */
const quotaTries = 100;
const tryAgainMs = 5;
/** Most uncounted requests to remember, until the file can be written again. */
const uncountedMax = 10_000;

/**
 * Keys, quota and revisions. Requests that arrive in the same turn of the event loop share their
 * transactions, because locking the files costs more than reading them. A transaction begins after
 * the last of its requests has arrived, so that each sees what was committed before it was sent.
 */
export function openAdmission({
  dataHandle,
  keyHandle,
  quotaLog,
  clock,
}: {
  dataHandle: DatabaseSync;
  keyHandle: DatabaseSync;
  /** Opened when the first request is counted. */
  quotaLog: () => QuotaLog;
  clock: () => number;
}): Pick<Store, 'findKey' | 'admit'> {
  // An unknown hash reads the oldest key's row instead, so that it takes as long as a revoked one.
  const selectKey = keyHandle.prepare(
    `select hash, id, workspace_id, expires_at, revoked_at, last_used_at from keys where rowid = max(
       ifnull((select rowid from keys where hash = ?), 0), (select min(rowid) from keys))`,
  );
  const selectRevision = dataHandle.prepare(
    'select revision from revisions where workspace_id = ?',
  );
  const readKeys = sharedRead(keyHandle);
  const readRevisions = sharedRead(dataHandle);
  const uncounted: UncountedRequest[] = [];

  return {
    // Wait until this turn of the event loop has read the other requests from its sockets.
    findKey: coalesce(
      (hashes) => readKeys(hashes, (hash) => keyRecord(selectKey.get(hash), hash)),
      setImmediate,
    ),
    // Requests whose keys were read together have all arrived once their promises have run.
    admit: coalesce(admitAll, process.nextTick),
  };

  async function admitAll(requests: readonly AdmissionRequest[]): Promise<readonly Admission[]> {
    const revisions = readRevisions(requests, ({ workspaceId }) =>
      String(selectRevision.get(workspaceId)?.['revision'] ?? ''),
    );
    const counted = await count(requests.filter(({ quota }) => quota > 0));
    return requests.map((request, place) => ({
      revision: revisions[place] ?? '',
      quota: counted.states.get(request),
      quotaFailure: request.quota > 0 ? counted.failure : undefined,
    }));
  }

  async function count(requests: readonly AdmissionRequest[]): Promise<CountResult> {
    if (requests.length === 0) return { states: new Map(), failure: undefined };
    for (let triesLeft = quotaTries; ; triesLeft -= 1) {
      try {
        const states = quotaLog()(requests, uncounted);
        uncounted.length = 0;
        return { states, failure: undefined };
      } catch (failure) {
        // If the file is locked for long, one request waits for it and the others are admitted at
        // once.
        const mayWait = isBusy(failure) && uncounted.length === 0;
        if (!mayWait || triesLeft === 0) return passUncounted(requests, failure);
        await setTimeout(tryAgainMs);
      }
    }
  }

  function passUncounted(requests: readonly AdmissionRequest[], failure: unknown): CountResult {
    const atMs = clock();
    uncounted.push(...requests.map((request) => ({ request, atMs })));
    if (uncounted.length > uncountedMax) uncounted.splice(0, uncounted.length - uncountedMax);
    return { states: new Map(), failure };
  }
}

interface CountResult {
  readonly states: ReadonlyMap<AdmissionRequest, QuotaState>;
  readonly failure: unknown;
}

function keyRecord(row: Record<string, unknown> | undefined, hash: string): KeyRecord | undefined {
  if (row === undefined) return undefined;
  const record = {
    id: String(row['id']),
    workspace_id: String(row['workspace_id']),
    expires_at: textOrNull(row['expires_at']),
    revoked_at: textOrNull(row['revoked_at']),
    last_used_at: textOrNull(row['last_used_at']),
  };
  return row['hash'] === hash ? record : undefined;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Makes a function that reads one value per key, all in one transaction. */
export function sharedRead(
  database: DatabaseSync,
): <Key, Value>(keys: readonly Key[], readOne: (key: Key) => Value) => Value[] {
  const begin = database.prepare('begin');
  const commit = database.prepare('commit');

  return function read(keys, readOne) {
    // One statement is a transaction by itself.
    if (keys.length <= 1) return keys.map(readOne);
    begin.run();
    try {
      return keys.map(readOne);
    } finally {
      // A disk error has already ended the transaction. Ending it again would fail and hide the
      // cause.
      if (database.isTransaction) commit.run();
    }
  };
}
