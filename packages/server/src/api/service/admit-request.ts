import type { FastifyRequest } from 'fastify';
import { authenticate, createLastUse } from '../../access/authenticate.ts';
import { createFailureLimit } from '../../access/failure-limit.ts';
import { chargeQuota } from '../../access/quota.ts';
import type { QuotaCharge } from '../../access/quota.ts';
import { Problem } from '../../problems.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Metrics } from './metrics.ts';
import { createRareWarning } from './rare-warning.ts';

/** Who may read, and how much: the same for the API and for tools at an address. */
export interface Admission {
  /**
   * The workspace of a request's key, which the request then carries. Throws `missing_api_key`,
   * `invalid_api_key` or `too_many_failures`.
   */
  readonly openWorkspace: (request: FastifyRequest) => Promise<string>;
  /** Counts a read of an endpoint against the quota. Throws `rate_limited`. */
  readonly charge: (workspaceId: string, endpoint: string) => Promise<QuotaCharge>;
}

/** Makes both steps. They count invalid keys of an address together, whatever it asked for. */
export function createAdmission(dependencies: ApiDependencies, metrics: Metrics): Admission {
  const { store, clock, quota } = dependencies;
  const noteFailure = createFailureLimit({ clock });
  const warnOfUse = createRareWarning('the last use of a key could not be stored', dependencies);
  const noteUse = createLastUse({ store, clock, onFailure: warnOfUse });
  const warnOfQuota = createRareWarning('the quota could not be counted', dependencies);
  return { openWorkspace, charge };

  async function openWorkspace(request: FastifyRequest): Promise<string> {
    try {
      const access = await authenticate(request.headers.authorization, { store, clock });
      noteUse(access);
      request.workspaceId = access.workspaceId;
      return access.workspaceId;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_api_key') throw error;
      const waitSeconds = noteFailure(request.ip);
      if (waitSeconds === undefined) throw error;
      throw new Problem('too_many_failures', 'Too many invalid keys came from this address.', {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    }
  }

  function charge(workspaceId: string, endpoint: string): Promise<QuotaCharge> {
    return chargeQuota({
      store,
      workspaceId,
      endpoint,
      quota,
      onFailure: (error) => {
        metrics.countQuotaFailure();
        warnOfQuota(error);
      },
    });
  }
}
