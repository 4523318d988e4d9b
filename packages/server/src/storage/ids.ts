import { randomBytes } from 'node:crypto';

/**
 * A new id for what a person creates: UUID v7 (RFC 9562, section 5.7), lower-case. It sorts by the
 * clock's millisecond; within one, by chance.
 */
export function newId(clock: () => number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(clock())), 0, 6);
  return formatUuid(bytes, 7);
}

/** Sixteen bytes as a UUID; sets the bits of version and variant. */
function formatUuid(bytes: Buffer, version: 5 | 7): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const digits = bytes.toString('hex', 0, 16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-');
}
