import type { FastifyRequest } from 'fastify';
import { authenticate } from '../../access/authenticate.ts';
import type { Access } from '../../access/authenticate.ts';
import { createFailureLimit } from '../../access/failure-limit.ts';
import { createLastUse } from '../../access/last-use.ts';
import { Problem } from '../../problems.ts';
import type { ApiDependencies } from '../service/dependencies.ts';
import { createRareWarning } from '../service/rare-warning.ts';

/** Opens the workspace of a request's key, or throws `missing_api_key`, `invalid_api_key` or `too_many_failures`. */
export function createAuthorize({
  store,
  clock,
  log,
}: ApiDependencies): (request: FastifyRequest) => Promise<Access> {
  const noteFailure = createFailureLimit({ clock });
  const noteUse = createLastUse({
    store,
    clock,
    onFailure: createRareWarning('the last use of a key could not be noted', { log, clock }),
  });

  return async function authorize(request) {
    try {
      const access = await authenticate(request.headers.authorization, { store, clock });
      noteUse(access);
      request.workspaceId = access.workspaceId;
      return access;
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'invalid_api_key') throw error;
      const waitSeconds = noteFailure(request.ip);
      if (waitSeconds === undefined) throw error;
      throw new Problem('too_many_failures', 'Too many keys from this address did not open.', {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    }
  };
}
