import { parseRow } from './check-row.ts';
import { tooLong } from './row.ts';
import type { FormatOptions, Row } from './row.ts';

/** One JSON object per line; empty lines are skipped. */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  { name, ...options }: FormatOptions & { name: string },
): AsyncGenerator<Row[]> {
  let number = 0;
  for await (const lines of splitLines(chunks, { name, lineBytesMax: options.rowBytesMax })) {
    const rows: Row[] = [];
    for (const line of lines) {
      if (line.text.trim() === '') continue;
      number += 1;
      const row = parseRow(line.text, { number, line: line.number }, options);
      if (row !== undefined) rows.push(row);
    }
    yield rows;
  }
}

interface Line {
  /** From 1; empty lines count. */
  readonly number: number;
  /** Without its line feed. */
  readonly text: string;
}

const lineFeed = 0x0a;

/**
 * Splits checked UTF-8 into lines, a batch per chunk. Throws a `Refusal` for a line of more than
 * `lineBytesMax` bytes, and never holds more of it.
 */
async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { name, lineBytesMax }: { name: string; lineBytesMax: number },
): AsyncGenerator<Line[]> {
  let number = 1;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      const text = Buffer.concat([...begun, chunk.subarray(0, end - 1)]).toString('utf8');
      const lines = text.split('\n').map((line, index) => ({ number: number + index, text: line }));
      for (const line of lines) refuseLong(line, { name, lineBytesMax });
      yield lines;
      number += lines.length;
      [begun, begunBytes] = [[], 0];
    }
    if (end === chunk.length) continue;
    begun.push(chunk.subarray(end));
    begunBytes += chunk.length - end;
    if (begunBytes > lineBytesMax) throw tooLong(name, number, lineBytesMax);
  }
  if (begunBytes > 0) yield [{ number, text: Buffer.concat(begun).toString('utf8') }];
}

function refuseLong(
  { number, text }: Line,
  { name, lineBytesMax }: { name: string; lineBytesMax: number },
): void {
  // A UTF-16 unit takes at most 3 bytes.
  if (text.length * 3 > lineBytesMax && Buffer.byteLength(text) > lineBytesMax) {
    throw tooLong(name, number, lineBytesMax);
  }
}
