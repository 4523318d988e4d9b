import { readFile } from '../../rows/read-file.ts';
import type { FileOptions, FileSummary } from '../../rows/read-file.ts';
import type { Faults } from '../../rows/fault.ts';
import type { Row } from '../../rows/row.ts';
import { rederive } from '../actions/rederive.ts';
import type { Rederivation } from '../actions/rederive.ts';
import { recordImport } from '../../storage/record-import.ts';
import type { Store } from '../../storage/store.ts';
import { readStoredEngines } from '../../storage/queries/stored-engines.ts';
import { writeOrTry } from '../../storage/write.ts';
import { answerFields, readingFields } from './fields.ts';
import { applyMapping } from './mapping.ts';
import type { Mapping } from './mapping.ts';
import { parseAnswer } from './parse-answer.ts';
import { replaceStoredAnswers } from './replace-stored-answers.ts';
import type { Replacement } from './replace-stored-answers.ts';
import { stageAnswers } from './stage-answers.ts';
import type { StagedFile } from './stage-answers.ts';
import { writeAnswers } from './write-answers.ts';
import type { WrittenAnswers } from './write-answers.ts';
import { refuseUnknownPrompts } from './write-prompts.ts';

type Values = Row['value'];

/**
 * Converts one foreign JSON object to rows of our format. Calls `refuse` with any field that it
 * cannot read.
 */
export type ConvertRow = (
  value: Values,
  refuse: (field: string, expected: string) => void,
) => readonly Values[];

export interface ImportOptions extends FileOptions {
  readonly workspaceId: string;
  /** Maps our fields to the columns of rows that use other names. */
  readonly mapping?: Mapping | undefined;
  /** Converts files of foreign JSON objects, such as an engine's responses. */
  readonly convert?: ConvertRow | undefined;
  /**
   * Whether the rows are readings, which Overheard asked for itself and which name their cohort.
   */
  readonly isReadings?: boolean;
  /** Accepts answers that are almost equal to those of another run. */
  readonly acceptsNearDuplicates?: boolean;
  /** The time zone of times without one. Without it, such times are refused. */
  readonly timeZone?: string | undefined;
  readonly isDryRun?: boolean;
  /** The user who imports; undefined on the command line. */
  readonly importedBy?: string | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called with the number of judged answers. */
  readonly onWritten?: (answers: number) => void;
}

interface AnswersRead extends FileSummary {
  /** Rows that repeat an earlier row of the file, and so are not counted again. */
  readonly repeated: number;
  /** How many times had no zone, and how many of those occur twice in the given zone. */
  readonly local: { readonly times: number; readonly ambiguous: number };
}

/** What an import did, or would have done. */
export interface ImportSummary
  extends Omit<AnswersRead, 'contentHash'>, Omit<WrittenAnswers, 'promptsMet'> {
  /** The import's number in the workspace; null in a dry run. */
  readonly importId: number | null;
}

/**
 * Imports a file of answers with their runs, detections and the scores of their days, completely or
 * not at all. First reads, checks and stages the file without a lock, then judges and writes in one
 * transaction. Throws a `Refusal` that lists the faults of the file.
 */
export async function importAnswers(store: Store, options: ImportOptions): Promise<ImportSummary> {
  const { workspaceId, source, acceptsNearDuplicates = false, isDryRun = false, signal } = options;
  const { importedBy, clock, onWritten = () => {} } = options;
  const file = stageAnswers();
  try {
    const { contentHash, ...reading } = await readAnswers(store, file, options);
    file.seal();
    const shared = {
      workspaceId,
      file,
      fileName: source.name,
      acceptsNearDuplicates,
      signal,
      onWritten,
    };
    const { promptsMet: _, ...written } = await writeOrTry(store, workspaceId, {
      isDryRun,
      write: (transaction) =>
        recordImport(transaction, workspaceId, {
          file: { kind: 'answers', file: source.name, contentHash, importedBy, clock },
          write: (importId) => writeAnswers(store, transaction, { ...shared, importId }),
          countsOf: ({ runs, promptsMet }) => ({ ...runs, changed: 0, parentsMet: promptsMet }),
        }),
    });
    return { ...reading, ...written, importId: isDryRun ? null : written.importId };
  } finally {
    file.close();
    source.stream.destroy();
  }
}

/**
 * Replaces stored answers with a new interpretation of the same responses, completely or not at
 * all. Runs, detections, counts, scores and derived actions change in the same transaction. Only
 * for rows of readings: any other file is refused if a stored id has different content. Leaves out
 * rows that cannot be imported.
 */
export async function replaceAnswers(
  store: Store,
  options: Pick<ImportOptions, 'workspaceId' | 'source' | 'isDryRun' | 'signal' | 'clock'> & {
    readonly examplesMax: number;
  },
): Promise<Replacement & { readonly actions: Rederivation }> {
  const { workspaceId, source, isDryRun = false, signal, examplesMax, clock } = options;
  const file = stageAnswers();
  try {
    const how = { format: 'ndjson', isReadings: true, acceptsNewEngines: true } as const;
    await readAnswers(store, file, { ...options, ...how, leavesOut: true });
    file.seal();
    return await writeOrTry(store, workspaceId, {
      isDryRun,
      write: async (transaction) => {
        const { result, actions } = await rederive(transaction, workspaceId, {
          nowMs: clock(),
          remove: () =>
            replaceStoredAnswers(store, transaction, { workspaceId, file, examplesMax, signal }),
        });
        return { ...result, actions };
      },
    });
  } finally {
    file.close();
    source.stream.destroy();
  }
}

async function readAnswers(
  store: Store,
  file: StagedFile,
  options: ImportOptions & { readonly leavesOut?: boolean },
): Promise<AnswersRead> {
  const { workspaceId, mapping, convert, isReadings, timeZone, clock, signal } = options;
  const local = { times: 0, ambiguous: 0 };
  let repeated = 0;
  const summary = await readFile(options, {
    array: 'answers',
    isForeign: convert !== undefined,
    // Mapped rows may have any columns. Columns that the mapping does not name are ignored.
    ...(mapping === undefined && { fields: isReadings === true ? readingFields : answerFields }),
    take,
    // Check this at the end, because a later row may contain the prompt's text.
    finish: (faults) =>
      refuseUnknownPrompts(store.reader, workspaceId, { prompts: file.prompts, signal, faults }),
    readStoredEngines: () => readStoredEngines(store.reader, workspaceId),
  });
  return { ...summary, repeated, local };

  function take(row: Row, faults: Faults): string | undefined {
    if (convert === undefined) {
      const { value } = row;
      return takeOne({ ...row, value: mapping ? applyMapping(mapping, value) : value }, faults);
    }
    const refuse = (field: string, expected: string): void =>
      faults.add({ line: row.line, field, expected });
    const engines = convert(row.value, refuse).map((value) => takeOne({ ...row, value }, faults));
    return engines[0];
  }

  function takeOne(row: Row, faults: Faults): string | undefined {
    const parsed = parseAnswer(row, { clock, timeZone, onLocal: countLocal });
    if ('faults' in parsed) {
      if (options.leavesOut !== true) for (const fault of parsed.faults) faults.add(fault);
      return undefined;
    }
    if (!file.add(parsed.answer, row.line, faults)) repeated += 1;
    return parsed.answer.engine;
  }

  function countLocal(isAmbiguous: boolean): void {
    local.times += 1;
    if (isAmbiguous) local.ambiguous += 1;
  }
}
