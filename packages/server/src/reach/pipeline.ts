import type { onRequestHookHandler } from 'fastify';
import { createRequestSteps } from '../api/request/request-steps.ts';
import type { ApiDependencies, ProgramParts } from '../api/service/dependencies.ts';
import { Problem } from '../problems.ts';

/** What the app of programs needs. */
export type ReachDependencies = Pick<
  ApiDependencies,
  'store' | 'log' | 'clock' | 'publicUrl' | 'trustProxy' | 'isDraining' | 'cacheBytes'
>;

type Hook = Parameters<onRequestHookHandler>;

/** The steps of every request, all before its body is read. A step ends it by throwing a `Problem`. */
export function createPipeline(
  { publicUrl, isDraining }: ReachDependencies,
  { paths, openWorkspace }: Pick<ProgramParts, 'openWorkspace'> & { paths: ReadonlySet<string> },
) {
  const step = createRequestSteps({ paths, isDraining });
  return [
    step.rejectClosedConnections,
    step.identify,
    step.refuseAmbiguity,
    step.refuseUnknownExpectations,
    step.routeExactly,
    refuseOtherMethods,
    refuseForeignOrigins,
    authenticate,
  ] as const;

  /** Refuses pages of other sites, which could reach a server that only their visitor can reach. */
  function refuseForeignOrigins(...[{ headers }, , done]: Hook): void {
    const { origin } = headers;
    if (origin !== undefined && origin !== new URL(publicUrl()).origin) {
      throw new Problem('foreign_origin', 'The request comes from a page of another site.', {
        headers: { Connection: 'close' },
      });
    }
    done();
  }

  async function authenticate(...[request]: Hook): Promise<void> {
    await openWorkspace(request);
  }
}

/** There are no sessions, so there is nothing to GET or to DELETE. */
function refuseOtherMethods(...[{ method }, , done]: Hook): void {
  if (method !== 'POST') {
    throw new Problem('method_not_allowed', 'This path takes only POST.', {
      headers: { Allow: 'POST', Connection: 'close' },
    });
  }
  done();
}
