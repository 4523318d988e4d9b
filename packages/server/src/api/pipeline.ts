import type { onRequestHookHandler } from 'fastify';
import { Problem } from '../problems.ts';
import { isClosing } from './service/closing-connections.ts';
import {
  hasBody,
  refuseAmbiguous,
  refuseBody,
  refuseExpectations,
} from './request/request-checks.ts';
import { splitTarget } from './request/target.ts';

const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const allowed = methods.join(', ');

/**
 * The steps that every request passes before its route, in this order. A step refuses a request by
 * throwing a `Problem`. An endpoint's route then authenticates, spends quota, reads the parameters,
 * compares the entity tag, and only then reads rows: `response/respond.ts`.
 */
export function createPipeline({
  paths,
  isDraining,
}: {
  /** Every path that is served. */
  paths: ReadonlySet<string>;
  isDraining: () => boolean;
}): readonly onRequestHookHandler[] {
  return [
    rejectClosedConnections,
    identify,
    refuseAmbiguity,
    refuseUnknownExpectations,
    routeExactly,
    refuseOtherMethods,
    refuseBodies,
    respondToOptions,
  ];

  /** The response before ends the connection: this request gets none. */
  function rejectClosedConnections(
    ...[request, reply, done]: Parameters<onRequestHookHandler>
  ): void {
    if (isClosing(request.raw.socket)) reply.hijack();
    else done();
  }

  function identify(...[request, reply, done]: Parameters<onRequestHookHandler>): void {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    if (isDraining()) reply.header('Connection', 'close');
    done();
  }

  function refuseAmbiguity(...[request, , done]: Parameters<onRequestHookHandler>): void {
    refuseAmbiguous(request.raw, request.originalUrl);
    done();
  }

  function refuseUnknownExpectations(...[request, , done]: Parameters<onRequestHookHandler>): void {
    refuseExpectations(request.raw);
    done();
  }

  function routeExactly(...[request, , done]: Parameters<onRequestHookHandler>): void {
    if (!paths.has(splitTarget(request.originalUrl).path)) {
      // The body that follows is not read: it could be taken for the next request.
      const headers = hasBody(request.raw) ? { headers: { Connection: 'close' } } : {};
      throw new Problem('not_found', 'No endpoint has exactly this path.', headers);
    }
    done();
  }

  function refuseOtherMethods(...[request, , done]: Parameters<onRequestHookHandler>): void {
    if (!methods.includes(request.method)) {
      throw new Problem('method_not_allowed', 'This path takes only GET, HEAD and OPTIONS.', {
        headers: { Allow: allowed, Connection: 'close' },
      });
    }
    done();
  }

  function refuseBodies(...[request, , done]: Parameters<onRequestHookHandler>): void {
    refuseBody(request.raw);
    done();
  }

  function respondToOptions(...[request, reply, done]: Parameters<onRequestHookHandler>): void {
    if (request.method === 'OPTIONS') void reply.code(204).header('Allow', allowed).send();
    else done();
  }
}
