import { LRUCache } from 'lru-cache';
import type { Store } from '../../storage/store.ts';
import type { WholeRows } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';
import type { ApiDependencies, FoundBody } from '../service/dependencies.ts';
import type { Metrics } from '../service/metrics.ts';
import { encode, worthEncoding } from './encoding.ts';
import type { Encoding } from './encoding.ts';
import { entityTag, readRevision } from './entity-tag.ts';
import type { EndpointQuery } from './entity-tag.ts';

/** A response that is ready to send, with the tag of the state that it shows. */
export interface ReadyBody {
  readonly tag: string;
  readonly encoding: Encoding;
  readonly body: Buffer;
  /** The query of the next page. */
  readonly next?: string | undefined;
}

/** Where bodies come from. */
export interface BodySources extends Pick<ApiDependencies, 'store' | 'readReport'> {
  readonly bodies: LRUCache<string, CachedBody>;
  readonly metrics: Metrics;
  /** The version of the contract that is served. */
  readonly contract: string;
}

/** A body, and the query of the next page. */
interface CachedBody {
  readonly body: Buffer;
  readonly next?: string | undefined;
}

/** One body may take at most one part in this many of the cache. */
const shareMax = 8;

/**
 * The cache of bodies, bounded in bytes; 0 keeps none. Its keys contain the workspace, the endpoint
 * and the entity tag, and so the revision, so that a body always fits its key and a stale one is
 * never found.
 */
export function createBodyCache({ bytesMax }: { bytesMax: number }): LRUCache<string, CachedBody> {
  return new LRUCache({
    maxSize: Math.max(1, bytesMax),
    maxEntrySize: Math.max(1, Math.ceil(bytesMax / shareMax)),
    sizeCalculation: ({ body }, key) => body.byteLength + key.length * 2 + 100,
  });
}

/** Reads the body from the cache. Undefined if it is not there in that encoding. */
export function cachedBody(
  query: EndpointQuery,
  encoding: Encoding,
  { bodies, metrics, contract }: BodySources,
): ReadyBody | undefined {
  const tag = entityTag(query, contract);
  const plain = bodies.get(cacheKey(query, tag, 'identity'));
  if (plain === undefined) return undefined;
  const worth = worthEncoding(encoding, plain.body.byteLength);
  const encoded = worth === 'identity' ? plain : bodies.get(cacheKey(query, tag, worth));
  if (encoded === undefined) return undefined;
  metrics.countCache('hit');
  return { tag, encoding: worth, ...encoded };
}

/**
 * Reads the body from the database, and caches it. Undefined if there are too many rows for one
 * body.
 */
export async function freshBody(
  query: EndpointQuery,
  encoding: Encoding,
  sources: BodySources,
): Promise<ReadyBody | undefined> {
  const { bodies, metrics, contract } = sources;
  const cached = bodies.get(cacheKey(query, entityTag(query, contract), 'identity'));
  const fresh = cached === undefined ? await readFresh(query, sources) : { ...query, ...cached };
  if (fresh === undefined) return undefined;
  const { revision, body: plain, next } = fresh;
  metrics.countCache('miss');
  const tag = entityTag({ ...query, revision }, contract);
  const worth = worthEncoding(encoding, plain.byteLength);
  const body = await encode(plain, worth);
  bodies.set(cacheKey(query, tag, 'identity'), { body: plain, next });
  if (worth !== 'identity') bodies.set(cacheKey(query, tag, worth), { body, next });
  return { tag, encoding: worth, body, next };
}

/** Reads a report in a thread, and any other body here. */
function readFresh(
  query: EndpointQuery,
  { store, readReport }: BodySources,
): Promise<FoundBody | undefined> {
  const { workspaceId, revision, endpoint, reportSearch: search, today } = query;
  if (search === undefined) return readBody(store, query);
  return readReport({ workspaceId, revision, endpoint: endpoint.name, search, today });
}

/** The tag contains revision, query and day, so that no two bodies share a key. */
function cacheKey(
  { workspaceId, endpoint }: EndpointQuery,
  tag: string,
  encoding: Encoding,
): string {
  return `${workspaceId} ${endpoint.name} ${encoding} ${tag}`;
}

/**
 * Reads a body that belongs to exactly one revision. Undefined if there are too many rows for one
 * body. Reads the rows in one statement, and the revision before and after it. If both are equal,
 * the rows belong to it, because every write changes the revision. Otherwise reads again from a
 * snapshot.
 */
export async function readBody(store: Store, query: EndpointQuery): Promise<FoundBody | undefined> {
  const { prepared, workspaceId, revision } = query;
  const whole = await prepared.readWhole({ ...query, db: store.reader });
  if (whole === undefined) return undefined;
  const after = await readRevision(store.reader, workspaceId);
  if (after === revision) return { revision, ...bodyOf(query, whole) };

  const snapshot = await store.snapshot({ workspaceId, isBrief: true });
  try {
    return await readSnapshotBody(snapshot.db, query);
  } finally {
    await snapshot.release();
  }
}

/** Reads a body and its revision from a snapshot. */
export async function readSnapshotBody(
  db: ReadRequest['db'],
  query: Omit<EndpointQuery, 'revision'>,
): Promise<FoundBody | undefined> {
  const revision = await readRevision(db, query.workspaceId);
  const whole = await query.prepared.readWhole({ ...query, db });
  return whole === undefined ? undefined : { revision, ...bodyOf(query, whole) };
}

function bodyOf(
  { endpoint }: Pick<EndpointQuery, 'endpoint'>,
  { rows, next, body }: WholeRows,
): CachedBody {
  if (body !== undefined) return { body: Buffer.from(body) };
  const content = endpoint.isObject ? rows[0] : rows;
  return { body: Buffer.from(JSON.stringify({ [endpoint.array]: content })), next };
}
