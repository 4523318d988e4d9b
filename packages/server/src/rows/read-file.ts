import { createHash } from 'node:crypto';
import { engineSlugPattern } from '@overheard/contract';
import { knownEngines } from '../values/engine.ts';
import { Faults } from './fault.ts';
import type { Format } from './format.ts';
import { readRows } from './read-rows.ts';
import type { ReadProgress } from './read-rows.ts';
import type { Row } from './row.ts';
import type { Source } from './source.ts';
import { checkUnknownEngines } from './unknown-engines.ts';

/** The options of a file to import. */
export interface FileOptions {
  readonly source: Source;
  /** Detected from the file if undefined. */
  readonly format?: Format | undefined;
  /** Accepts engines that look like a misspelling of a known one. */
  readonly acceptsNewEngines?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onRead?: (progress: ReadProgress) => void;
}

/** The facts about an imported file. */
export interface FileSummary {
  /** Rows of the file, including repeated ones. */
  readonly read: number;
  /** Engines that are new to the workspace and not generally known. */
  readonly newEngines: readonly string[];
  /** SHA-256 of the file, 64 hexadecimal digits. */
  readonly contentHash: string;
}

interface RowReader {
  /** Names that a row may have; any name if undefined. */
  readonly fields?: readonly string[];
  /** Name of the array if the rows come as `{"scores":[...]}`. */
  readonly array: string;
  /** Whether the rows are foreign JSON, as in `readRows`. */
  readonly isForeign?: boolean | undefined;
  /** Checks and stages one row; returns its engine. */
  readonly take: (row: Row, faults: Faults) => unknown;
  /** Checks that need the whole file. */
  readonly finish?: (faults: Faults) => Promise<void>;
  readonly readStoredEngines: () => Promise<ReadonlySet<string>>;
}

/** Most unknown engines of one file to remember. Nobody has more engines. */
const unknownMax = 1000;
const known = new Set(knownEngines);

/** Reads and checks a whole file. Throws a `Refusal` that lists everything that is wrong in it. */
export async function readFile(
  { source, format, acceptsNewEngines = false, signal, onRead }: FileOptions,
  { fields, array, isForeign, take, finish, readStoredEngines }: RowReader,
): Promise<FileSummary> {
  const faults = new Faults();
  const unknown = new Map<string, number>();
  const hash = createHash('sha256');
  const batches = readRows(source, {
    faults,
    format,
    array,
    isForeign,
    signal,
    onBytes: (bytes) => void hash.update(bytes),
    ...(fields !== undefined && { fields }),
    ...(onRead !== undefined && { onProgress: onRead }),
  });
  let read = 0;
  for await (const rows of batches) {
    for (const row of rows) note(take(row, faults), row.line);
    read += rows.length;
  }
  await finish?.(faults);
  const newEngines =
    unknown.size === 0
      ? []
      : checkUnknownEngines(unknown, {
          stored: await readStoredEngines(),
          isAccepted: acceptsNewEngines,
          faults,
        });
  faults.refuse(source.name);
  return { read, newEngines, contentHash: hash.digest('hex') };

  function note(engine: unknown, line: number): void {
    if (typeof engine !== 'string' || known.has(engine) || unknown.has(engine)) return;
    if (engineSlugPattern.test(engine) && unknown.size < unknownMax) unknown.set(engine, line);
  }
}
