import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** Smaller responses are sent unencoded. */
const encodedFromBytes = 1024;

// Brotli's own default takes 300 ms for 200 KB; 4 is as small as gzip and faster.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface Codec {
  readonly encode: (body: Buffer) => Promise<Buffer>;
  readonly stream: () => Transform;
}

/** Encodings in our order of preference, which counts if the client has none. */
const codecs = {
  zstd: { encode: promisify(zstdCompress), stream: () => createZstdCompress() },
  br: {
    encode: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions),
    stream: () => createBrotliCompress(brotliOptions),
  },
  gzip: { encode: promisify(gzip), stream: () => createGzip() },
} as const satisfies Record<string, Codec>;

export type Encoding = keyof typeof codecs | 'identity';

const preferred: readonly Encoding[] = ['zstd', 'br', 'gzip', 'identity'];

const negotiated = new LRUCache<string, Encoding>({ max: 200 });

/**
 * Chooses the encoding of the response. Remembers results, because clients send few different
 * headers.
 */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const cached = negotiated.get(acceptEncoding);
  if (cached !== undefined) return cached;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  const accepted = negotiator.encodings(preferred, { preferred });
  const encoding = preferred.find((candidate) => candidate === accepted[0]) ?? 'identity';
  if (acceptEncoding.length <= 200) negotiated.set(acceptEncoding, encoding);
  return encoding;
}

/** The encoding for a body of this size. */
export function worthEncoding(encoding: Encoding, bytes: number): Encoding {
  return bytes < encodedFromBytes ? 'identity' : encoding;
}

/** Encodes a whole body, off the event loop. */
export async function encode(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoding === 'identity' ? body : codecs[encoding].encode(body);
}

/** Makes a stream that encodes, or undefined if there is no encoding. */
export function encodingStream(encoding: Encoding): Transform | undefined {
  return encoding === 'identity' ? undefined : codecs[encoding].stream();
}
