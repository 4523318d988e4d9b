import { isUtf8 } from 'node:buffer';
import { Refusal } from '../refusals.ts';
import { peek } from './decompress.ts';

const lineFeed = 0x0a;

/**
 * Checks UTF-8. Yields the same bytes without a byte order mark, split between characters. Throws a
 * `Refusal` for UTF-16 and UTF-32, and one that names the line for bytes that are not UTF-8.
 */
export async function* requireUtf8(
  chunks: AsyncIterable<Buffer>,
  { name }: { name: string },
): AsyncGenerator<Buffer> {
  const { head, all } = await peek(chunks, 4);
  const encoding = wideEncoding(head);
  if (encoding !== undefined) throw new Refusal('file_encoding_wide', { file: name, encoding });
  // The mark is one character, so the first piece contains all of it.
  let skipped = head.length >= 3 && head.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0;
  let line = 1;
  let incomplete: Buffer = Buffer.alloc(0);
  for await (const chunk of all) {
    const joined = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk]);
    const end = joined.length - incompleteBytes(joined);
    incomplete = joined.subarray(end);
    const bytes = joined.subarray(0, end);
    if (!isUtf8(bytes))
      throw new Refusal('file_not_utf8', { file: name, line: line + linesBeforeFault(bytes) });
    line += countLineFeeds(bytes);
    if (bytes.length === 0) continue;
    yield bytes.subarray(skipped);
    skipped = 0;
  }
  if (incomplete.length > 0) throw new Refusal('file_not_utf8', { file: name, line });
}

/** Detects UTF-16 or UTF-32 from the first bytes; undefined if it may be UTF-8. */
function wideEncoding(head: Buffer): string | undefined {
  const [first = -1, second = -1, third = -1, fourth = -1] = head;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  // Our formats begin with an ASCII character, so a NUL next to it belongs to a wider unit.
  if (first === 0 && second === 0 && fourth > 0) return 'UTF-32';
  if ((hasMark || first > 0) && third === 0 && fourth === 0) return 'UTF-32';
  return hasMark || (first === 0 && second > 0) || (first > 0 && second === 0)
    ? 'UTF-16'
    : undefined;
}

/** Number of bytes at the end that begin an incomplete character: 0 to 3. */
function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < characterBytes(byte) ? back : 0;
  }
  return 0;
}

function characterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function linesBeforeFault(bytes: Buffer): number {
  for (let line = 0, start = 0; ; line += 1) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed === -1 ? bytes.length : feed;
    if (feed === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = feed + 1;
  }
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1))
    count += 1;
  return count;
}
