import type { onRequestHookHandler } from 'fastify';
import { createRequestSteps } from './request/request-steps.ts';
import { createEndpointSteps } from './endpoint-steps.ts';
import type { EndpointSteps } from './endpoint-steps.ts';
import type { BodySources } from './response/ready-body.ts';
import type { Admission } from './service/admit-request.ts';
import type { ApiDependencies } from './service/dependencies.ts';

type Pipeline = readonly [
  requestPipeline: readonly onRequestHookHandler[],
  endpoints: EndpointSteps,
];

/** The whole order of a request. A step ends it by responding or by throwing a `Problem`. */
export function createPipeline(
  dependencies: ApiDependencies,
  {
    paths,
    admission,
    sources,
  }: {
    /** Every path that is served. */
    paths: ReadonlySet<string>;
    admission: Admission;
    sources: BodySources;
  },
): Pipeline {
  const step = {
    ...createRequestSteps({ paths, isDraining: dependencies.isDraining }),
    ...createEndpointSteps(dependencies, { admission, sources }),
  };
  return [
    [
      step.rejectClosedConnections,
      step.identify,
      step.refuseAmbiguity,
      step.refuseUnknownExpectations,
      step.routeExactly,
      step.refuseOtherMethods,
      step.refuseBodies,
      step.respondToOptions,
    ],
    // Paths that need no key (health, metrics, descriptions) respond here. Endpoints continue.
    [
      step.authenticate,
      step.spendQuota,
      step.readParameters,
      step.respondNotModified,
      step.respond,
    ],
  ];
}
