import { crc32 } from 'node:zlib';

/** Larger pictures would take a browser's memory. */
const sideMax = 4096;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The critical chunks: what a picture needs. https://www.w3.org/TR/png-3/#11Critical-chunks */
const critical = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/**
 * A PNG with its critical chunks alone, so that no text, profile or place comes along. Undefined if
 * it is not a PNG of at most 4,096 pixels a side: checks signature, lengths, checksums and order.
 */
export function plainPng(file: Buffer): Buffer | undefined {
  if (!file.subarray(0, signature.length).equals(signature)) return undefined;
  const kept: Buffer[] = [signature];
  let types = '';
  for (let at = signature.length; at < file.length;) {
    // A length of four bytes, a type of four, the data, and a checksum of type and data.
    if (at + 12 > file.length) return undefined;
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return undefined;
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined;
    // The case of the first letter says whether a decoder may skip the chunk.
    const isCritical = /^[A-Z]/.test(type);
    if (isCritical) {
      if (!critical.has(type)) return undefined;
      if (type === 'IHDR' && !isSmall(file.subarray(at + 8, end - 4))) return undefined;
      kept.push(file.subarray(at, end));
      types += `${type} `;
    }
    at = end;
    if (type === 'IEND') break;
  }
  return /^IHDR (?:PLTE )?(?:IDAT )+IEND $/.test(types) ? Buffer.concat(kept) : undefined;
}

function isSmall(header: Buffer): boolean {
  if (header.length !== 13) return false;
  return [header.readUInt32BE(0), header.readUInt32BE(4)].every(
    (side) => side >= 1 && side <= sideMax,
  );
}
