/** The beginning of every workspace key. */
export const keyPrefix = 'overheard_';

/** The digits of base62, in the order of their values. */
export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Number of random characters in a key, and of the checksum characters after them. */
export const keyRandomLength = 32;
const checksumLength = 6;

/** Finds keys in text, for secret scanners and for removing keys from logs. */
export const keyPattern = /overheard_[0-9A-Za-z]{38}/;

/** The checksum that a key ends with: CRC-32 of what comes before it, in base62. */
export function keyChecksum(beginning: string): string {
  let remainder = crc32(beginning);
  let digits = '';
  for (let place = 0; place < checksumLength; place++) {
    digits = base62Digits.charAt(remainder % 62) + digits;
    remainder = Math.floor(remainder / 62);
  }
  return digits;
}

/**
 * Whether a text has the form of a key and the right checksum. False means that it was mistyped.
 */
export function isWellFormedKey(key: string): boolean {
  const length = keyPrefix.length + keyRandomLength;
  if (key.length !== length + checksumLength) return false;
  if (keyPattern.exec(key)?.index !== 0) return false;
  return keyChecksum(key.slice(0, length)) === key.slice(length);
}

/**
 * CRC-32 of ASCII text with the polynomial of ISO 3309, as in zlib; this package must run on any
 * platform, so it imports none.
 */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
