import { DatabaseError } from 'pg';
import type { Pool } from 'pg';
import type { Admission, AdmissionRequest, KeyRecord, Store } from '../store.ts';
import { openQuotaLog } from './quota-log.ts';

const selectKey =
  'select id, workspace_id, expires_at, revoked_at, last_used_at from keys where hash = $1';
const selectRevision = 'select revision from revisions where workspace_id = $1';

/** Reads keys, quota and revisions over separate connections. */
export function openAdmission(
  pool: Pool,
  { clock, isSession }: { clock: (() => number) | undefined; isSession: boolean },
): Pick<Store, 'findKey' | 'admit'> {
  const count = openQuotaLog(pool, { clock, isSession });
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
