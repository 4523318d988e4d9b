import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { LedgerTables } from '../../storage/tables/ledger-tables.ts';
import { parseJson } from '../../values/json.ts';

/** What is kept of an exchange: the request without headers, as JSON in one line, and the response. */
export interface KeptExchange {
  readonly status: number;
  readonly request: string;
  readonly response: string;
}

/** The last exchange, and in their order those of a paused answer before it. */
export interface ReadingEvidence extends KeptExchange {
  readonly earlier: readonly KeptExchange[];
}

type BodyColumns = 'status' | 'request' | 'response' | 'earlier';
type BodyInsert = Pick<Insertable<LedgerTables['bodies']>, BodyColumns>;
export type PackedBodies = Pick<Selectable<LedgerTables['bodies']>, BodyColumns>;

/** Request and response share a frame, because much of a request is repeated in its response. */
export function packBodies({ status, request, response, earlier }: ReadingEvidence): BodyInsert {
  const before = earlier.map((each) => ({ ...each, response: toKept(each.response) }));
  return {
    status,
    request: Buffer.alloc(0),
    response: pack(`${request}\n${toKept(response)}`),
    earlier: before.length === 0 ? null : pack(JSON.stringify(before)),
  };
}

const earlierParts = z.array(z.object({ status: z.number(), response: z.string() }));

/** The kept responses of a reading in their order. */
export function unpackResponses(
  bodies: PackedBodies,
): Array<Pick<KeptExchange, 'status' | 'response'>> {
  const { status, earlier } = bodies;
  const frame = unpack(bodies.response);
  // Once request and response had a frame each.
  const response = bodies.request.length > 0 ? frame : frame.slice(frame.indexOf('\n') + 1);
  const before = earlier === null ? [] : earlierParts.parse(JSON.parse(unpack(earlier)));
  return [...before, { status, response }];
}

/**
 * Ciphertext that only the engine can read: it is most of a body. And Google's search suggestions as
 * HTML, which repeat the queries.
 */
const unread = /^(?:encrypted_\w+|thoughtSignature|signature|renderedContent)$/;
/** Thoughts, of OpenRouter and Anthropic. */
const cipher = /^[\w+/=-]{40,}$/;
/** Ids of parts of a response, which nothing in it refers to and no engine looks up. */
const partId = /^(?:(?:rs|ws)_[\w-]{20,}|msg_[\da-f-]{24,})$/;

/** A response without what says nothing: spaces, null, ciphertext and ids of its parts. */
function toKept(response: string): string {
  const value = parseJson(response);
  if (typeof value !== 'object' || value === null) return response;
  try {
    return JSON.stringify(value, (key, part: unknown) => {
      if (part === null) return undefined;
      if (typeof part !== 'string') return part;
      if (key === 'id' && partId.test(part)) return undefined;
      return unread.test(key) || (key === 'data' && cipher.test(part)) ? '' : part;
    });
  } catch {
    // Nested too deep. It is paid, so it is kept as it is.
    return response;
  }
}

/** Higher levels take up to ten times as long, and save 1 %. */
const level = 9;

/** At once, because a thread of its own costs more; knowing the size spares it megabytes of tables. */
function pack(text: string): Buffer {
  const bytes = Buffer.from(text);
  const chunkSize = Math.max(256, Math.min(bytes.length, 65_536));
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize, params });
}

/** One after the other: hundreds at once on other threads take a megabyte each. */
function unpack(bytes: Uint8Array): string {
  const chunkSize = Math.max(256, Math.min(4 * bytes.length, 65_536));
  return zstdDecompressSync(bytes, { chunkSize }).toString();
}
