import type { Endpoint, EndpointName } from '@overheard/contract';
import { entityTag } from './etag.ts';
import type { PreparedQuery } from '../endpoints/served-endpoints.ts';

/** One query of one workspace to one endpoint, at one state of the data. */
export interface EndpointQuery {
  readonly endpoint: Endpoint<EndpointName>;
  readonly prepared: PreparedQuery;
  readonly workspaceId: string;
  /** The UTC day, `2026-11-20`. */
  readonly today: string;
  readonly revision: string;
}

/** The entity tag of the response; `contract` names the version of what is served. */
export function tagOf(
  { endpoint, prepared, today, revision }: EndpointQuery,
  contract: string,
): string {
  return entityTag({
    contract,
    revision,
    query: prepared.values,
    today: endpoint.dependsOnDate ? today : undefined,
  });
}
