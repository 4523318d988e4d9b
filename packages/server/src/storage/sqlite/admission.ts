import { setTimeout } from 'node:timers/promises';
import type { DatabaseSync } from 'node:sqlite';
import { gather } from '../gather.ts';
import type { Admission, AdmissionRequest, KeyRecord, QuotaState, Store } from '../store.ts';
import { isBusy } from './failures.ts';
import type { QuotaLog } from './quota-log.ts';
import { sharedRead } from './shared-read.ts';

/** Another process holds the file for as long as one commit takes. */
const quotaTries = 40;
const tryAgainMs = 5;

/**
 * Keys, quota and revisions. Requests that arrive in the same turn of the event loop share their
 * transactions: to lock the files costs more than to read them. A transaction begins after the last
 * of its requests has arrived, so that each sees what was committed before it was sent.
 */
export function openAdmission({
  dataHandle,
  keyHandle,
  quotaLog,
}: {
  dataHandle: DatabaseSync;
  keyHandle: DatabaseSync;
  /** Opened when the first request is counted. */
  quotaLog: () => QuotaLog;
}): Pick<Store, 'findKey' | 'admit'> {
  const selectKey = keyHandle.prepare(
    'select id, workspace_id, expires_at, revoked_at, last_used_at from keys where hash = ?',
  );
  const selectRevision = dataHandle.prepare(
    'select revision from revisions where workspace_id = ?',
  );
  const readKeys = sharedRead(keyHandle);
  const readRevisions = sharedRead(dataHandle);

  return {
    // The requests that this turn still reads from its sockets come first.
    findKey: gather(
      (hashes) => readKeys(hashes, (hash) => keyRecord(selectKey.get(hash))),
      setImmediate,
    ),
    // Those whose keys were read together are all there once their promises have run.
    admit: gather(admitAll, process.nextTick),
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

  async function count(
    requests: readonly AdmissionRequest[],
    triesLeft: number = quotaTries,
  ): Promise<Counted> {
    if (requests.length === 0) return { states: new Map(), failure: undefined };
    try {
      return { states: quotaLog()(requests), failure: undefined };
    } catch (error) {
      if (!isBusy(error) || triesLeft === 0) return { states: new Map(), failure: error };
      await setTimeout(tryAgainMs);
      return count(requests, triesLeft - 1);
    }
  }
}

interface Counted {
  readonly states: ReadonlyMap<AdmissionRequest, QuotaState>;
  readonly failure: unknown;
}

function keyRecord(row: Record<string, unknown> | undefined): KeyRecord | undefined {
  if (row === undefined) return undefined;
  return {
    id: String(row['id']),
    workspace_id: String(row['workspace_id']),
    expires_at: textOrNull(row['expires_at']),
    revoked_at: textOrNull(row['revoked_at']),
    last_used_at: textOrNull(row['last_used_at']),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
