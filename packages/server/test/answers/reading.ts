/** Reads rows of bytes or text in tests, without a file. */
import { Readable } from 'node:stream';
import { Faults } from '../../src/rows/fault.ts';
import type { ReadOptions } from '../../src/rows/read-file.ts';
import { readRows } from '../../src/rows/read-file.ts';
import { inWords } from '../commands/in-words.ts';
import type { Row } from '../../src/rows/row.ts';

/** How a text is to be read, the name of its file and if it is cut. */
export type ReadTextOptions = Partial<ReadOptions> & { name?: string; chunkBytes?: number };

/** Reads bytes as a file of this name, cut into chunks, and returns its rows or throws its refusal. */
export function readText(
  content: string | Uint8Array,
  options: ReadTextOptions = {},
): Promise<Row[]> {
  return inWords(readRefused(content, options));
}

async function readRefused(
  content: string | Uint8Array,
  { name = 'rows', chunkBytes = 7, ...options }: ReadTextOptions = {},
): Promise<Row[]> {
  const bytes = Buffer.from(content);
  const faults = new Faults();
  const rows: Row[] = [];
  const source = { name, stream: Readable.from(cut(bytes, chunkBytes)), bytesTotal: bytes.length };
  for await (const batch of readRows(source, { faults, ...options })) rows.push(...batch);
  (options.faults ?? faults).refuse(name);
  return rows;
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
