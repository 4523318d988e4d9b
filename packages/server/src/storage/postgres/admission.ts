import { DatabaseError } from 'pg';
import type { Pool } from 'pg';
import type { Admission, AdmissionRequest, KeyRecord, Store } from '../store.ts';
import { quotaState } from '../quota.ts';

const selectKey =
  'select id, workspace_id, expires_at, revoked_at, last_used_at from keys where hash = $1';
const selectRevision = 'select revision from revisions where workspace_id = $1';

/** Reads keys, quota and revisions over separate connections. */
export function openAdmission(
  pool: Pool,
  { clock, isSession }: { clock: (() => number) | undefined; isSession: boolean },
): Pick<Store, 'findKey' | 'admit'> {
  const nameStatement = (name: string) => (isSession ? { name } : {});

  return { findKey, admit };

  async function findKey(hash: string): Promise<KeyRecord | undefined> {
    const query = { ...nameStatement('overheard-key'), text: selectKey, values: [hash] };
    return (await pool.query<KeyRecord>(query)).rows[0];
  }

  async function admit(request: AdmissionRequest): Promise<Admission> {
    if (request.quota === 0) return admitUncounted(request, undefined);
    try {
      return await count(request);
    } catch (error) {
      // Admit requests even if the counters cannot be written. But refuse a request that got no
      // connection, because a server under load would admit too many uncounted requests.
      if (!(error instanceof DatabaseError) || isAboutConnecting(error)) throw error;
      return await admitUncounted(request, error);
    }
  }

  /** The exact sliding log on PostgreSQL: one round trip. */
  async function count({
    workspaceId,
    endpoint,
    quota,
    windowSeconds,
  }: AdmissionRequest): Promise<Admission> {
    const windowMs = windowSeconds * 1000;
    // Only tests give a clock, which no request waits for.
    const time = clock === undefined ? [null, lockWaitMs] : [clock(), 0];
    const { rows } = await pool.query<CountedRow>({
      ...nameStatement('overheard-admit'),
      text: countAndRead,
      values: [workspaceId, endpoint, quota, windowMs, ...time],
    });
    const row = rows[0];
    if (row === undefined) throw new Error('The quota statement returned no row');
    const { is_admitted: isAdmitted, count: counted, blocking_at: blockingMs, at: atMs } = row;
    return {
      revision: row.revision ?? '',
      quota: quotaState({ isAdmitted, count: counted, blockingMs, quota, windowMs, atMs }),
      quotaFailure: undefined,
    };
  }

  async function admitUncounted(
    { workspaceId }: AdmissionRequest,
    quotaFailure: unknown,
  ): Promise<Admission> {
    const query = {
      ...nameStatement('overheard-revision'),
      text: selectRevision,
      values: [workspaceId],
    };
    const { rows } = await pool.query<{ revision: string }>(query);
    return { revision: rows[0]?.revision ?? '', quota: undefined, quotaFailure };
  }
}

/** Whether the connection was refused or lost before the counters responded. */
function isAboutConnecting({ code = '' }: DatabaseError): boolean {
  return /^(08|28|3D000|53300|57P)/.test(code);
}

/**
 * Counts the request and reads the revision in one statement. The time is the database's own unless
 * a test gives one. `now()` is in VALUES, which Citus evaluates once. The update consists of
 * IMMUTABLE functions of the old log, because Citus accepts nothing else there.
 */
const countAndRead = `
  with counted as (
    insert into quota_log (workspace_id, endpoint, log, is_admitted, at)
    values (
      $1, $2,
      array[coalesce($5::bigint, (extract(epoch from now()) * 1000)::bigint)],
      true,
      coalesce($5::bigint, (extract(epoch from now()) * 1000)::bigint)
    )
    on conflict (workspace_id, endpoint) do update set
      log = overheard_quota_logged(
        quota_log.log, overheard_quota_at(quota_log.log, excluded.at, $6::bigint), $4::bigint, $3::bigint
      ),
      is_admitted = overheard_quota_is_admitted(
        quota_log.log, overheard_quota_at(quota_log.log, excluded.at, $6::bigint), $4::bigint, $3::bigint
      ),
      at = overheard_quota_at(quota_log.log, excluded.at, $6::bigint)
    returning
      workspace_id,
      is_admitted,
      at,
      cardinality(log) as count,
      log[greatest(1, cardinality(log) - $3::bigint + 1)] as blocking_at
  )
  select counted.is_admitted, counted.at, counted.count, counted.blocking_at, revisions.revision
  from counted left join revisions on revisions.workspace_id = $1`;

/**
 * If the log is ahead of the clock by more than this, the clock was set back. A smaller lead comes
 * from waiting for the lock.
 */
const lockWaitMs = 2000;

interface CountedRow {
  readonly is_admitted: boolean;
  readonly at: number;
  readonly count: number;
  readonly blocking_at: number;
  readonly revision: string | null;
}
