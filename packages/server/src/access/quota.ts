import { quota as contractQuota } from '@overheard/contract';
import { Problem } from '../problems.ts';
import type { Admission, QuotaState, Store } from '../storage/store.ts';
import { plural } from '../values/plural.ts';

/** A client's quota, also as headers, and the revision of its workspace's data. */
export interface QuotaCharge {
  readonly revision: string;
  /** Undefined if there is no quota, or if it could not be counted. */
  readonly quota: QuotaState | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Counts a request against the workspace's quota of one endpoint. Throws `rate_limited` if it is
 * spent. If the counters cannot be written, admits the request and calls `onFailure`. Header
 * syntax: draft-ietf-httpapi-ratelimit-headers-11.
 */
export async function chargeQuota({
  store,
  workspaceId,
  endpoint,
  quota,
  onFailure,
}: {
  store: Store;
  workspaceId: string;
  endpoint: string;
  /** Requests per window; 0 means no quota. */
  quota: number;
  onFailure: (error: unknown) => void;
}): Promise<QuotaCharge> {
  const { windowSeconds } = contractQuota;
  const admission: Admission = await store.admit({ workspaceId, endpoint, quota, windowSeconds });
  if (admission.quotaFailure !== undefined) onFailure(admission.quotaFailure);
  const { revision, quota: state } = admission;
  if (quota === 0) return { revision, quota: undefined, headers: {} };

  const policy = { 'RateLimit-Policy': `"${endpoint}";q=${quota};w=${windowSeconds}` };
  if (state === undefined) return { revision, quota: undefined, headers: policy };

  const headers = { ...policy, RateLimit: `"${endpoint}";r=${state.left};t=${state.resetSeconds}` };
  if (state.isAdmitted) return { revision, quota: state, headers };
  throw new Problem(
    'rate_limited',
    `The workspace has used its ${plural(quota, 'request')} to this endpoint. The next is free in ${plural(state.resetSeconds, 'second')}.`,
    { headers: { ...headers, 'Retry-After': String(state.resetSeconds) } },
  );
}
