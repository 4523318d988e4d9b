import { parseRow } from './check-row.ts';
import { splitLines } from './lines.ts';
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
