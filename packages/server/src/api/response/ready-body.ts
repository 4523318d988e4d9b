import type { Store } from '../../storage/store.ts';
import { tagOf } from './endpoint-query.ts';
import type { EndpointQuery } from './endpoint-query.ts';
import type { BodyCache } from './body-cache.ts';
import { encode, worthEncoding } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import type { Metrics } from '../service/metrics.ts';
import { readBody } from './read-body.ts';

/** An answer that is ready to send, with the tag of the state that it shows. */
export interface ReadyBody {
  readonly tag: string;
  readonly encoding: Encoding;
  readonly body: Buffer;
}

interface Sources {
  readonly store: Store;
  readonly bodies: BodyCache;
  readonly metrics: Metrics;
  readonly contract: string;
}

/** The answer from the cache, or undefined where it is not there in that encoding. */
export function cachedBody(
  query: EndpointQuery,
  encoding: Encoding,
  { bodies, metrics, contract }: Sources,
): ReadyBody | undefined {
  const tag = tagOf(query, contract);
  const plain = bodies.get(cacheKey(query, tag, 'identity'));
  if (plain === undefined) return undefined;
  const worth = worthEncoding(encoding, plain.byteLength);
  const body = worth === 'identity' ? plain : bodies.get(cacheKey(query, tag, worth));
  if (body === undefined) return undefined;
  metrics.countCache('hit');
  return { tag, encoding: worth, body };
}

/** The answer from the database, kept for the next time; undefined if it is too long for one body. */
export async function freshBody(
  query: EndpointQuery,
  encoding: Encoding,
  { store, bodies, metrics, contract }: Sources,
): Promise<ReadyBody | undefined> {
  const known = bodies.get(cacheKey(query, tagOf(query, contract), 'identity'));
  const found = known === undefined ? await readBody(store, query) : { ...query, body: known };
  if (found === undefined) return undefined;
  const { revision, body: plain } = found;
  metrics.countCache('miss');
  const tag = tagOf({ ...query, revision }, contract);
  const worth = worthEncoding(encoding, plain.byteLength);
  const body = await encode(plain, worth);
  bodies.set(cacheKey(query, tag, 'identity'), plain);
  if (worth !== 'identity') bodies.set(cacheKey(query, tag, worth), body);
  return { tag, encoding: worth, body };
}

/** The tag holds revision, query and day: a key never means two answers. */
function cacheKey(
  { workspaceId, endpoint }: EndpointQuery,
  tag: string,
  encoding: Encoding,
): string {
  return `${workspaceId} ${endpoint.name} ${encoding} ${tag}`;
}
