import { createHash } from 'node:crypto';
import { openApiDocument } from '@overheard/contract';
import { createMemo } from '../../values/memo.ts';
import { version } from '../../version.ts';
import { encode, worthEncoding } from './encoding.ts';
import type { Encoding } from './encoding.ts';

/** The server's description of its own API. */
export interface Description {
  /** The version of the served API, which is part of every entity tag. */
  readonly version: string;
  /** The OpenAPI document under the public address. */
  readonly document: () => DescribedDocument;
}

/** One version of the OpenAPI document. */
interface DescribedDocument {
  /** Weak, because one tag covers every encoding. */
  readonly tag: string;
  /** The document in the encoding, or unencoded if it is too short. */
  readonly encodeAs: (wanted: Encoding) => Promise<{ encoding: Encoding; body: Buffer }>;
}

/** The description under a public address, which may be known only once the server listens. */
export function createDescription(publicUrl: () => string): Description {
  return { version: describe('/').digest, document: () => describe(publicUrl()) };
}

/** Remembered: nothing else that a start builds takes longer. */
const describe = createMemo(
  (serverUrl) => {
    const text = JSON.stringify(openApiDocument({ serverUrl, version }));
    const body = Buffer.from(text);
    const bodies = new Map<Encoding, Promise<Buffer>>();
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, 10);
    return {
      digest,
      tag: `W/"${digest}"`,
      async encodeAs(wanted: Encoding) {
        const encoding = worthEncoding(wanted, body.byteLength);
        const encoded = bodies.get(encoding) ?? encode(body, encoding);
        bodies.set(encoding, encoded);
        return { encoding, body: await encoded };
      },
    };
  },
  { entriesMax: 10 },
);
