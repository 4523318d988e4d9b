import { randomBytes } from 'node:crypto';
import { base62Digits, keyChecksum, keyPrefix, keyRandomLength } from '@overheard/contract';

/** A new random key: 190 bits of chance, and a checksum that finds mistyped ones. */
export function newKey(random: (size: number) => Buffer = randomBytes): string {
  let beginning = keyPrefix;
  while (beginning.length < keyPrefix.length + keyRandomLength) {
    for (const byte of random(keyRandomLength)) {
      // Bytes past the last whole 62 would make the first digits likelier.
      const isFair = byte < 256 - (256 % base62Digits.length);
      if (isFair) beginning += base62Digits.charAt(byte % base62Digits.length);
    }
  }
  beginning = beginning.slice(0, keyPrefix.length + keyRandomLength);
  return beginning + keyChecksum(beginning);
}
