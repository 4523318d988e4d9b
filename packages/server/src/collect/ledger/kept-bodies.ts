import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { LedgerTables } from '../../storage/schema.ts';
import { parseJson } from '../../values/json.ts';

/**
 * The stored parts of an exchange: the request without headers, as one line of JSON, and the
 * response.
 */
export interface KeptExchange {
  readonly status: number;
  readonly request: string;
  readonly response: string;
}

/** The last exchange, and the earlier exchanges of a paused answer in their order. */
export interface ReadingEvidence extends KeptExchange {
  readonly earlier: readonly KeptExchange[];
}

type BodyColumns = 'status' | 'request' | 'response' | 'earlier';
type BodyInsert = Pick<Insertable<LedgerTables['bodies']>, BodyColumns>;
export type PackedBodies = Pick<Selectable<LedgerTables['bodies']>, BodyColumns>;

/** Packs request and response into one frame, because a response repeats much of its request. */
export function packBodies({ status, request, response, earlier }: ReadingEvidence): BodyInsert {
  const before = earlier.map((each) => ({ ...each, response: trimResponse(each.response) }));
  return {
    status,
    request: Buffer.alloc(0),
    response: pack(`${request}\n${trimResponse(response)}`),
    earlier: before.length === 0 ? null : pack(JSON.stringify(before)),
  };
}

const earlierParts = z.array(z.object({ status: z.number(), response: z.string() }));

/** The stored responses of a reading in their order. */
export function unpackResponses(
  bodies: PackedBodies,
): Array<Pick<KeptExchange, 'status' | 'response'>> {
  const { status, earlier } = bodies;
  const frame = unpack(bodies.response);
  // Older versions packed request and response into separate frames.
  const response = bodies.request.length > 0 ? frame : frame.slice(frame.indexOf('\n') + 1);
  const before = earlier === null ? [] : earlierParts.parse(JSON.parse(unpack(earlier)));
  return [...before, { status, response }];
}

/**
 * Fields that nobody reads: ciphertext for the engine, which is most of a body, and Google's search
 * suggestions as HTML, which repeat the queries.
 */
const unread = /^(?:encrypted_\w+|thoughtSignature|signature|renderedContent)$/;
/** Encrypted thoughts in responses of OpenRouter and Anthropic. */
const cipher = /^[\w+/=-]{40,}$/;
/** Ids of parts of a response. Nothing refers to them, and no engine accepts them later. */
const partId = /^(?:(?:rs|ws)_[\w-]{20,}|msg_[\da-f-]{24,})$/;

/** Removes spaces, nulls, ciphertext and the ids of parts from a response. */
function trimResponse(response: string): string {
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
    // The JSON is nested too deep. The response is paid for, so keep it as it is.
    return response;
  }
}

/** Higher levels take up to ten times as long, and save 1 %. */
const level = 9;

/** Synchronous, because another thread costs more. Giving the size saves megabytes of tables. */
function pack(text: string): Buffer {
  const bytes = Buffer.from(text);
  const chunkSize = Math.max(256, Math.min(bytes.length, 65_536));
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize, params });
}

/**
 * Unpack one after the other, because hundreds at once on other threads would take a megabyte each.
 */
function unpack(bytes: Uint8Array): string {
  const chunkSize = Math.max(256, Math.min(4 * bytes.length, 65_536));
  return zstdDecompressSync(bytes, { chunkSize }).toString();
}
