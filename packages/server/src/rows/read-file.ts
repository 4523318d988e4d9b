import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { engineSlugPattern } from '@overheard/contract';
import { Refusal } from '../refusals.ts';
import { knownEngines, misspeltEngine } from '../values/engine.ts';
import { decompress, peek } from './decompress.ts';
import { Faults } from './fault.ts';
import type { Format } from './format.ts';
import { detectFormat } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readNdjson } from './read-ndjson.ts';
import { refuseIfStopped } from './refuse-if-stopped.ts';
import type { Row } from './row.ts';
import type { Source } from './source.ts';
import { requireUtf8 } from './utf8.ts';

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
export type FileSummary = Awaited<ReturnType<typeof readFile>>;

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
const knownEngineNames = new Set(knownEngines);

/** Reads and checks a whole file. Throws a `Refusal` that lists everything that is wrong in it. */
export async function readFile(
  { source, format, acceptsNewEngines = false, signal, onRead }: FileOptions,
  { fields, array, isForeign, take, finish, readStoredEngines }: RowReader,
) {
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
  return {
    /** Rows of the file, including repeated ones. */
    read,
    /** Engines that are new to the workspace and not generally known. */
    newEngines,
    /** SHA-256 of the file, 64 hexadecimal digits. */
    contentHash: hash.digest('hex'),
  };

  function note(engine: unknown, line: number): void {
    if (typeof engine !== 'string' || knownEngineNames.has(engine) || unknown.has(engine)) return;
    if (engineSlugPattern.test(engine) && unknown.size < unknownMax) unknown.set(engine, line);
  }
}

/** How far a file has been read. */
export interface ReadProgress {
  /** Bytes of the file, before it is unpacked. */
  readonly bytes: number;
  readonly bytesTotal: number | undefined;
  readonly rows: number;
}

export interface ReadOptions {
  /** Called with every refused row; the reading goes on. */
  readonly faults: Faults;
  /** Detected from the name or the first bytes if undefined. */
  readonly format?: Format | undefined;
  /** Names that a row may have; any name if undefined. */
  readonly fields?: readonly string[];
  /** Name of the array if the rows may come as `{"scores":[...]}`. */
  readonly array?: string;
  /**
   * Whether the rows are foreign JSON: any sequence of objects and arrays of objects, unchecked.
   */
  readonly isForeign?: boolean | undefined;
  /** Called with the bytes of the file, before they are unpacked. */
  readonly onBytes?: (bytes: Buffer) => void;
  /** Called after every batch. */
  readonly onProgress?: (progress: ReadProgress) => void;
  /** Ends the reading with a `Refusal`. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of one row. */
  readonly rowBytesMax?: number;
}

/** Bytes of a file that suffice to recognise its format. */
const formatHeadBytes = 512;

const readers = { ndjson: readNdjson, json: readJson, csv: readCsv };

/** Larger rows are refused, because a row must fit into memory. */
const defaultRowBytesMax = 32 * 1024 * 1024;

/**
 * Reads rows from gzip, zstd, brotli or plain bytes of NDJSON, JSON or CSV, in batches and bounded
 * memory. A refused row is reported to `faults` and left out; a file
 * that cannot be read to its end throws a `Refusal`. An empty file has no rows.
 */
export async function* readRows(
  { name, stream, bytesTotal }: Source,
  {
    faults,
    format,
    fields,
    array,
    isForeign = false,
    onBytes = () => {},
    onProgress = () => {},
    signal,
    rowBytesMax = defaultRowBytesMax,
  }: ReadOptions,
): AsyncGenerator<Row[]> {
  let bytes = 0;
  const raw = readChunks(stream, signal, (chunk) => {
    bytes += chunk.length;
    onBytes(chunk);
  });
  const text = requireUtf8(decompress(raw, { name }), { name });
  const { head, all } = await peek(text, formatHeadBytes);
  const options = { name, array, fields, faults, isForeign, rowBytesMax };
  let rows = 0;
  const form = isForeign ? 'json' : (format ?? detectFormat(options, head));
  for await (const batch of readers[form](all, options)) {
    refuseIfStopped(signal);
    rows += batch.length;
    onProgress({ bytes, bytesTotal, rows });
    if (batch.length > 0) yield batch;
  }
}

/**
 * Yields the stream's chunks as bytes. Passes each to `onBytes`, and stops waiting when the signal
 * aborts.
 */
async function* readChunks(
  stream: Readable,
  signal: AbortSignal | undefined,
  onBytes: (bytes: Buffer) => void,
): AsyncGenerator<Buffer> {
  const abort = (): void => void stream.destroy(new Refusal('stopped', {}));
  refuseIfStopped(signal);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for await (const chunk of stream) {
      const bytes: unknown = chunk;
      if (!Buffer.isBuffer(bytes)) throw new TypeError('A stream of bytes is needed');
      onBytes(bytes);
      yield bytes;
    }
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Refuses engines that Overheard does not know and that look like a misspelling, at the line that
 * `lines` has for each, unless `isAccepted`. Returns the engines that are new to the workspace,
 * which has those in `stored`.
 */
function checkUnknownEngines(
  lines: ReadonlyMap<string, number>,
  {
    stored,
    isAccepted,
    faults,
  }: { stored: ReadonlySet<string>; isAccepted: boolean; faults: Faults },
): readonly string[] {
  const fresh = [...lines].filter(([engine]) => !stored.has(engine));
  const familiar = new Set([...knownEngines, ...stored]);
  for (const [engine, line] of isAccepted ? [] : fresh) {
    const meant = misspeltEngine(engine, familiar);
    if (meant === undefined) continue;
    const expected = `a known engine; did you mean ${meant}? --new-engine imports it as it is written`;
    faults.add({ line, field: 'engine', expected, found: engine });
  }
  return fresh.map(([engine]) => engine).toSorted();
}
