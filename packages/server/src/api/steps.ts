import type { onRequestHookHandler } from 'fastify';
import { Problem } from '../problems.ts';
import { isGivenUp } from './given-up.ts';
import { hasBody, refuseAmbiguous, refuseBody, refuseExpectations } from './request-checks.ts';
import { splitTarget } from './target.ts';

const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const allowed = methods.join(', ');

/**
 * The steps that every request passes before its route, in this order. A step refuses by passing a
 * `Problem` on.
 */
export function createSteps({
  paths,
  isDraining,
}: {
  /** Every path that is served. */
  paths: ReadonlySet<string>;
  isDraining: () => boolean;
}): readonly onRequestHookHandler[] {
  return [
    ignoreGivenUp,
    identify,
    refuseTwoMeanings,
    refuseUnknownExpectations,
    routeExactly,
    refuseOtherMethods,
    refuseBodies,
    answerOptions,
  ];

  /** The connection ends with the answer before: this request gets none. */
  function ignoreGivenUp(...[request, reply, done]: Parameters<onRequestHookHandler>): void {
    if (isGivenUp(request.raw.socket)) reply.hijack();
    else done();
  }

  function identify(...[request, reply, done]: Parameters<onRequestHookHandler>): void {
    reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
    if (isDraining()) reply.header('Connection', 'close');
    done();
  }

  function refuseTwoMeanings(...[request, , done]: Parameters<onRequestHookHandler>): void {
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

  function answerOptions(...[request, reply, done]: Parameters<onRequestHookHandler>): void {
    if (request.method === 'OPTIONS') void reply.code(204).header('Allow', allowed).send();
    else done();
  }
}
