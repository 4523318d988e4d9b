import { Faults, shown } from '../../rows/fault.ts';
import type { Fault } from '../../rows/fault.ts';
import type { Format } from '../../rows/format.ts';
import { readRows } from '../../rows/read-rows.ts';
import type { ReadProgress } from '../../rows/read-rows.ts';
import type { Row } from '../../rows/row.ts';
import type { Source } from '../../rows/source.ts';
import { UnknownEngines } from '../../rows/unknown-engines.ts';
import type { Store } from '../../storage/store.ts';
import { readStoredEngines } from '../../storage/stored-engines.ts';
import { writeOrTry } from '../../storage/write.ts';
import type { Answer } from './answer.ts';
import { answerFields } from './fields.ts';
import { applyMapping } from './mapping.ts';
import type { Mapping } from './mapping.ts';
import { parseAnswer } from './parse-answer.ts';
import { findDifference, toComparable } from './same-answer.ts';
import { openAnswerSpool } from './spool.ts';
import type { AnswerSpool, SpooledAnswer } from './spool.ts';
import { writeAnswers } from './write-answers.ts';
import type { WrittenAnswers } from './write-answers.ts';
import { findUnknownPrompts } from './write-prompts.ts';

export interface ImportOptions {
  readonly workspaceId: string;
  readonly source: Source;
  readonly format?: Format | undefined;
  /** Where the fields stand in rows with other names. */
  readonly mapping?: Mapping | undefined;
  /** Keeps answers that are nearly those of another run. */
  readonly isAccepted?: boolean;
  /** Takes engines that look like a misspelling of a known one. */
  readonly hasNewEngine?: boolean;
  /** The zone of times without one; undefined refuses them. */
  readonly timeZone?: string | undefined;
  readonly isDryRun?: boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onRead?: (progress: ReadProgress) => void;
  /** Told how many answers are judged. */
  readonly onWritten?: (answers: number) => void;
}

/** What an import found in its file. */
interface FileSummary {
  /** Rows of the file. */
  readonly read: number;
  /** Rows equal to an earlier one of the file: they count once. */
  readonly repeated: number;
  /** Engines that are new to the workspace and not generally known. */
  readonly newEngines: readonly string[];
  /** Times without a zone, and those of them that the zone's clocks show twice. */
  readonly local: { readonly times: number; readonly ambiguous: number };
}

/** What an import did, or would have done. */
export interface ImportSummary extends FileSummary, WrittenAnswers {}

/**
 * Imports a file of answers, and all that follows from them, whole or not at all: runs, detections,
 * the touched days' scores. It is read, checked and spooled first, which holds no lock; then one
 * transaction judges and writes. Throws a `Refusal` that lists what is wrong in the file.
 */
export async function importAnswers(store: Store, options: ImportOptions): Promise<ImportSummary> {
  const { workspaceId, source, isAccepted = false, isDryRun = false, signal } = options;
  const { onWritten = () => {} } = options;
  const spool = openAnswerSpool();
  const faults = new Faults();
  try {
    const reading = await readIntoSpool(store, { spool, faults }, options);
    const written = await writeOrTry(store, workspaceId, {
      isDryRun,
      write: (transaction) =>
        writeAnswers(store, transaction, {
          workspaceId,
          spool,
          fileName: source.name,
          isAccepted,
          signal,
          onWritten,
        }),
    });
    return { ...reading, ...written };
  } finally {
    spool.close();
    source.stream.destroy();
  }
}

async function readIntoSpool(
  store: Store,
  { spool, faults }: { spool: AnswerSpool; faults: Faults },
  { hasNewEngine = false, ...options }: ImportOptions,
): Promise<FileSummary> {
  const { workspaceId, source, format, mapping, timeZone, clock, signal, onRead } = options;
  const engines = new UnknownEngines();
  const batches = readRows(source, {
    faults,
    format,
    array: 'answers',
    signal,
    // Of mapped rows any column may come: what the mapping does not name is left out.
    ...(mapping === undefined && { fields: answerFields }),
    ...(onRead !== undefined && { onProgress: onRead }),
  });
  let read = 0;
  let repeated = 0;
  const local = { times: 0, ambiguous: 0 };
  for await (const rows of batches) {
    for (const row of rows) spoolRow(row);
    read += rows.length;
  }
  // Not before the end: a later row may tell what was asked.
  const unknown = findUnknownPrompts(store.reader, workspaceId, { spool, signal });
  for await (const { id, line } of unknown) {
    const expected =
      "the id of a prompt of this workspace, or the prompt's text beside it or in another row";
    faults.add({ line, field: 'prompt_id', expected, found: id });
  }
  const newEngines = engines.hasAny
    ? engines.check(await readStoredEngines(store.reader, workspaceId), {
        isAccepted: hasNewEngine,
        faults,
      })
    : [];
  faults.refuse(source.name);
  return { read, repeated, local, newEngines };

  function countLocal(isAmbiguous: boolean): void {
    local.times += 1;
    if (isAmbiguous) local.ambiguous += 1;
  }

  function spoolRow(row: Row): void {
    const mapped =
      mapping === undefined ? row : { ...row, value: applyMapping(mapping, row.value) };
    const parsed = parseAnswer(mapped, { clock, timeZone, onLocal: countLocal });
    if ('faults' in parsed) {
      for (const fault of parsed.faults) faults.add(fault);
      return;
    }
    const { answer } = parsed;
    engines.note(answer.engine, row.line);
    const earlier = spool.add({ line: row.line, answer });
    if (earlier === undefined) return;
    repeated += 1;
    const fault = contradiction(answer, row.line, earlier);
    if (fault !== undefined) faults.add(fault);
  }
}

function contradiction(answer: Answer, line: number, earlier: SpooledAnswer): Fault | undefined {
  const difference = findDifference(toComparable(earlier.answer), toComparable(answer));
  if (difference === undefined) return undefined;
  const { field, before, now } = difference;
  const expected = `${shown(before)} as in line ${earlier.line}, which has the same run id (${answer.id})`;
  return { line, field, expected, found: now };
}
