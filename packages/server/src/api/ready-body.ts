import type { Store } from '../storage/store.ts';
import { tagOf } from './asked.ts';
import type { Asked } from './asked.ts';
import type { BodyCache } from './body-cache.ts';
import { encode, worthEncoding } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import type { Metrics } from './metrics.ts';
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
  asked: Asked,
  encoding: Encoding,
  { bodies, metrics, contract }: Sources,
): ReadyBody | undefined {
  const tag = tagOf(asked, contract);
  const plain = bodies.get(cacheKey(asked, tag, 'identity'));
  if (plain === undefined) return undefined;
  const worth = worthEncoding(encoding, plain.byteLength);
  const body = worth === 'identity' ? plain : bodies.get(cacheKey(asked, tag, worth));
  if (body === undefined) return undefined;
  metrics.countCache('hit');
  return { tag, encoding: worth, body };
}

/** The answer from the database, kept for the next time; undefined if it is too long for one body. */
export async function freshBody(
  asked: Asked,
  encoding: Encoding,
  { store, bodies, metrics, contract }: Sources,
): Promise<ReadyBody | undefined> {
  const known = bodies.get(cacheKey(asked, tagOf(asked, contract), 'identity'));
  const found = known === undefined ? await readBody(store, asked) : { ...asked, body: known };
  if (found === undefined) return undefined;
  const { revision, body: plain } = found;
  metrics.countCache('miss');
  const tag = tagOf({ ...asked, revision }, contract);
  const worth = worthEncoding(encoding, plain.byteLength);
  const body = await encode(plain, worth);
  bodies.set(cacheKey(asked, tag, 'identity'), plain);
  if (worth !== 'identity') bodies.set(cacheKey(asked, tag, worth), body);
  return { tag, encoding: worth, body };
}

/** The tag holds revision, query and day: a key never means two answers. */
function cacheKey({ workspaceId, endpoint }: Asked, tag: string, encoding: Encoding): string {
  return `${workspaceId} ${endpoint.name} ${encoding} ${tag}`;
}
