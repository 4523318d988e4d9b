import { parseRow } from './check-row.ts';
import { splitJsonElements } from './json-elements.ts';
import type { FormatOptions, Row } from './row.ts';

/** A JSON array of objects, or an object whose one array is named `array`. */
export async function* readJson(
  chunks: AsyncIterable<Buffer>,
  { name, array, ...options }: FormatOptions & { name: string; array: string | undefined },
): AsyncGenerator<Row[]> {
  let number = 0;
  for await (const elements of splitJsonElements(chunks, { name, array, ...options })) {
    const rows: Row[] = [];
    for (const { line, text } of elements) {
      number += 1;
      const row = parseRow(text, { number, line }, options);
      if (row !== undefined) rows.push(row);
    }
    yield rows;
  }
}
