/**
 * A key, or one that lost its end: 16 of its 38 characters say too much already. A percent-encoded
 * underscore and encoded characters count too.
 */
const keys = /overheard(?:_|%5f)(?:[0-9a-z]|%[0-9a-f]{2}){16}(?:\w|%[0-9a-f]{2})*/gi;
const replacement = 'overheard_[redacted]';
const encodedByte = /%([0-9a-f]{2})/gi;

/** A text for the log, without anything that looks like a key. */
export function redactKeys(text: string): string {
  return text.replaceAll(keys, replacement);
}

/** A path for the log, without a key in any spelling that percent-encoding allows. */
export function redactPath(path: string): string {
  const redacted = redactKeys(path);
  const decoded = redacted.replaceAll(encodedByte, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return redactKeys(decoded) === decoded ? redacted : `/${replacement}`;
}
