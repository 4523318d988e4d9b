import { addAbortSignal, Readable } from 'node:stream';
import { utcDay } from '../values/time/utc-day.ts';
import { connectionLimits } from './service/connection-limits.ts';
import type { Admission } from './service/admit-request.ts';
import type { ApiDependencies, LocalRead, LocalResponse } from './service/dependencies.ts';
import { entityTag } from './response/entity-tag.ts';
import type { EndpointQuery } from './response/entity-tag.ts';
import { cachedBody, freshBody } from './response/ready-body.ts';
import type { BodySources } from './response/ready-body.ts';
import { openRowsStream } from './response/rows-stream.ts';
import { servedEndpoints } from './served-endpoints.ts';

/** Reads endpoints for a program in this process: the steps of a request, without HTTP. */
export function createLocalReads(
  { clock, limits }: ApiDependencies,
  { admission, sources }: { admission: Admission; sources: BodySources },
): (read: LocalRead) => Promise<LocalResponse> {
  const { stallMs } = { ...connectionLimits, ...limits };

  return async function readLocally({ workspaceId, endpoint: name, search, knownTag, signal }) {
    const served = servedEndpoints.find(({ endpoint }) => endpoint.name === name);
    if (served === undefined) throw new TypeError(`There is no endpoint ${name}.`);
    const { endpoint, prepare, isReport } = served;
    const { revision, quota } = await admission.charge(workspaceId, name);
    const today = utcDay(clock());
    const query: EndpointQuery = {
      endpoint,
      prepared: prepare(search, today),
      reportSearch: isReport ? search : undefined,
      workspaceId,
      today,
      revision,
    };
    const tag = entityTag(query, sources.contract);
    if (tag === knownTag) {
      sources.metrics.countCache('not_modified');
      return { tag, quota, body: undefined };
    }
    const ready =
      cachedBody(query, 'identity', sources) ?? (await freshBody(query, 'identity', sources));
    if (ready !== undefined) return { ...ready, quota, body: Readable.from([ready.body]) };
    signal.throwIfAborted();
    const long = await openRowsStream(sources.store, query, { stallMs });
    const body = addAbortSignal(signal, long.stream);
    return { tag: entityTag({ ...query, revision: long.revision }, sources.contract), quota, body };
  };
}
