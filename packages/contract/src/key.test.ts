import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { base62Digits, isWellFormedKey, keyChecksum, keyPrefix } from './key.ts';

const beginning = `${keyPrefix}0123456789abcdefghijABCDEFGHIJ01`;

test("a key's checksum is zlib's CRC-32 of the rest of the key, in base62", () => {
  const digits = [...keyChecksum(beginning)];
  const value = digits.reduce((sum, digit) => sum * 62 + base62Digits.indexOf(digit), 0);
  expect(value).toBe(crc32(beginning));
  expect(digits).toHaveLength(6);
});

test('a key with one character changed, cut or added is not well-formed', () => {
  const key = beginning + keyChecksum(beginning);
  expect(isWellFormedKey(key)).toBe(true);
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === 'x' ? 'y' : 'x';
    expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
  }
  expect(isWellFormedKey(key.slice(1))).toBe(false);
  expect(isWellFormedKey(`${key}x`)).toBe(false);
  expect(isWellFormedKey(`x${key}`)).toBe(false);
  expect(isWellFormedKey('')).toBe(false);
});
