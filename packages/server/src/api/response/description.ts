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
  readonly encodeAs: (wanted: Encoding) => Promise<EncodedDocument>;
}

interface EncodedDocument {
  readonly encoding: Encoding;
  readonly body: Buffer;
}

/** The description under a public address, which may be known only once the server listens. */
export function createDescription(publicUrl: () => string): Description {
  const documents = new Map<string, DescribedDocument>();
  return {
    version: digestOf(documentText('/')),
    document() {
      const url = publicUrl();
      const document = documents.get(url) ?? describe(url);
      documents.set(url, document);
      return document;
    },
  };
}

function describe(publicUrl: string): DescribedDocument {
  const text = documentText(publicUrl);
  const body = Buffer.from(text);
  const bodies = new Map<Encoding, Promise<Buffer>>();
  return {
    tag: `W/"${digestOf(text)}"`,
    async encodeAs(wanted) {
      const encoding = worthEncoding(wanted, body.byteLength);
      const encoded = bodies.get(encoding) ?? encode(body, encoding);
      bodies.set(encoding, encoded);
      return { encoding, body: await encoded };
    },
  };
}

/** Remembered because it takes longer than all else that is built at a start. */
const documentText = createMemo(
  (serverUrl) => JSON.stringify(openApiDocument({ serverUrl, version })),
  { entriesMax: 10 },
);

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 10);
}
