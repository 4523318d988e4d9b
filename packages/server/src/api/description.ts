import { createHash } from 'node:crypto';
import { openApiDocument } from '@overheard/contract';
import { version } from '../version.ts';

/** What the server says of its own API. */
export interface Description {
  /** Names the version of what is served: part of every entity tag. */
  readonly version: string;
  /** Entity tag of the document. */
  readonly tag: string;
  /** The OpenAPI document. */
  readonly body: () => string;
}

/** The description under a public address, which may be known only once the server listens. */
export function createDescription(publicUrl: () => string): Description {
  const document = JSON.stringify(openApiDocument({ serverUrl: '/', version }));
  const digest = createHash('sha256').update(document).digest('base64url').slice(0, 10);
  return {
    version: digest,
    tag: `"${digest}"`,
    body: () => JSON.stringify(openApiDocument({ serverUrl: publicUrl(), version })),
  };
}
