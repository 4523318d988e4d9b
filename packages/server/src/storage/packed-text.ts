import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * The columns of `answers` whose long texts an embedded database stores packed: they are nearly half
 * of its bytes. PostgreSQL packs long values by itself.
 */
export const packedColumns: ReadonlySet<string> = new Set(['answer', 'sources']);

/** Packing shorter texts saves little. */
const lengthMin = 200;
/** The number of bytes of the text, before the packed bytes. */
const headBytes = 4;
/** Small windows, which take a third of the time: most answers fit into one. */
const options = { windowBits: 13, memLevel: 6 };

/** A long text as its bytes in DEFLATE (RFC 1951), which packs a single answer best and unpacks fastest. */
export function packText(text: string): string | Uint8Array {
  if (text.length < lengthMin) return text;
  const bytes = Buffer.from(text);
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(bytes.length);
  const packed = Buffer.concat([head, deflateRawSync(bytes, options)]);
  return packed.length < bytes.length ? packed : text;
}

/** The text of bytes that `packText` made. */
export function unpackText(packed: Uint8Array): string {
  return inflateRawSync(packed.subarray(headBytes)).toString();
}

/** The bytes of a text, also of a packed one, so that both databases say the same of an answer. */
export function textBytes(value: unknown): number | null {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? Buffer.from(value).readUInt32LE() : null;
}
