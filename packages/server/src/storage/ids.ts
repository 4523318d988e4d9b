import { hash, randomBytes } from 'node:crypto';

/**
 * A new id for what a person creates: UUID v7 (RFC 9562, section 5.7), lower-case. It sorts by the
 * clock's millisecond; within one, by chance.
 */
export function newId(clock: () => number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.max(0, Math.floor(clock())), 0, 6);
  return formatUuid(bytes, 7);
}

/** The namespace of our content ids: a v4 UUID, drawn once. */
const namespace = Buffer.from('5b0f3d0c8f2e4c1ab6a7d1e94c7f2a63', 'hex');

/**
 * The id of what arrives, from its content: UUID v5 (RFC 9562, section 5.5), so that order, split
 * and repetition of what is imported change nothing. As JSON no two lists of parts are alike.
 */
export function contentId(
  kind: string,
  parts: ReadonlyArray<string | number | boolean | null>,
): string {
  const name = JSON.stringify([kind, ...parts]);
  const bytes = Buffer.allocUnsafe(namespace.length + Buffer.byteLength(name));
  namespace.copy(bytes);
  bytes.write(name, namespace.length);
  // As text and not as bytes: a large import makes a million of them.
  const digits = hash('sha1', bytes, 'hex');
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** A prompt's id, alike for every way in which it arrives. Language and locale are canonical. */
export function promptId({
  text,
  language,
  locale,
}: {
  text: string;
  language: string;
  locale: string;
}): string {
  return contentId('prompt', [text.normalize('NFC').trim(), language, locale]);
}

/** The first sixteen bytes as a UUID; sets the bits of version and variant. */
export function formatUuid(bytes: Buffer, version: 5 | 7): string {
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
