import type { Faults } from '../../rows/fault.ts';
import { readFile } from '../../rows/read-file.ts';
import type { FileOptions, FileSummary } from '../../rows/read-file.ts';
import type { Row } from '../../rows/row.ts';
import { readStoredEngines } from '../../storage/queries/stored-engines.ts';
import type { Store } from '../../storage/store.ts';
import { applyMapping, mapNested } from './mapping.ts';
import type { DateOrder } from '../../values/time/local-moment.ts';
import type { Mapping } from './mapping.ts';
import { answerFields, parseAnswer, readingFields } from './parse-answer.ts';
import type { StagedFile } from './stage-answers.ts';
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

export interface AnswersFile extends FileOptions {
  readonly workspaceId: string;
  /** Maps our fields to the columns of rows that use other names. */
  readonly mapping?: Mapping | undefined;
  /** Converts files of foreign JSON objects, such as an engine's responses. */
  readonly convert?: ConvertRow | undefined;
  /**
   * Whether the rows are readings, which Overheard asked for itself and which name their cohort.
   */
  readonly isReadings?: boolean;
  /** The time zone of times without one. Without it, such times are refused. */
  readonly timeZone?: string | undefined;
  /** How dates are written that do not begin with their year. Without it, they are refused. */
  readonly dates?: DateOrder | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

export interface AnswersRead extends FileSummary {
  /** Rows that repeat an earlier row of the file, and so are not counted again. */
  readonly repeated: number;
  /** How many times had no zone, and how many of those occur twice in the given zone. */
  readonly local: { readonly times: number; readonly ambiguous: number };
}

/** Reads, checks and stages a file of answers. Throws a `Refusal` that lists the faults of the file. */
export async function readAnswers(
  store: Store,
  file: StagedFile,
  options: AnswersFile & { readonly leavesOut?: boolean },
): Promise<AnswersRead> {
  const { workspaceId, mapping, isReadings, timeZone, dates, clock, signal } = options;
  const convert =
    options.convert ?? (mapping?.rows === undefined ? undefined : convertNested(mapping));
  const local = { times: 0, ambiguous: 0 };
  let repeated = 0;
  let [rows, hasAnswers] = [0, false];
  const summary = await readFile(options, {
    array: 'answers',
    isForeign: convert !== undefined,
    // Mapped rows may have any columns. Columns that the mapping does not name are ignored.
    ...(mapping === undefined && { fields: isReadings === true ? readingFields : answerFields }),
    take,
    // Check this at the end, because a later row may contain the prompt's text.
    finish: (faults) => {
      const path = mapping?.answer;
      if (typeof path === 'string' && rows > 0 && !hasAnswers) {
        const expected = `a text at ${JSON.stringify(path)} of the mapping, which no row has`;
        faults.add({ line: 1, field: 'answer', expected });
      }
      return refuseUnknownPrompts(store.reader, workspaceId, {
        prompts: file.prompts,
        signal,
        faults,
      });
    },
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
    rows += 1;
    hasAnswers ||= Object.hasOwn(row.value, 'answer');
    const parsed = parseAnswer(row, { clock, timeZone, dates, onLocal: countLocal });
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

/** Converts nested JSON by a mapping with the path of its rows. */
function convertNested(mapping: Mapping): ConvertRow {
  return (value, refuse) => {
    const rows = mapNested(mapping, value);
    if (rows !== undefined) return rows;
    refuse('rows', `objects at the path ${JSON.stringify(mapping.rows)} of the mapping`);
    return [];
  };
}
