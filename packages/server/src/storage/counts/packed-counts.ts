import { assumeType } from '../../values/assume-type.ts';

type Numbers = ArrayLike<number>;

/** The names that the numbers in a row's columns refer to. */
export interface NamesOfCounts {
  /** Ids of the cited subjects. */
  readonly subjects: readonly string[];
  /**
   * Ids of the prompts. An id occurs once for each of the `marks` that its runs have, such as those
   * of runs whose engine searched and of runs whose engine did not.
   */
  readonly prompts: readonly string[];
}

/**
 * Counted runs, column by column, because adding up one object per prompt takes several times as
 * long.
 */
export interface CountColumns {
  /** For each prompt, `marksOf` its runs. */
  readonly marks: Numbers;
  readonly runs: Numbers;
  /**
   * How many subjects the prompt's runs cite. The prompt has this many numbers in each column
   * below.
   */
  readonly subjectCount: Numbers;
  /** For each cited subject of each prompt, its index in `subjects`. */
  readonly subject: Numbers;
  /** The numbers of runs that cite the subject, name it, and link to it. */
  readonly cited: Numbers;
  readonly named: Numbers;
  readonly linked: Numbers;
  readonly rankSum: Numbers;
  /** The number of runs that cite both the subject and the brand. */
  readonly withBrand: Numbers;
}

/** Finds the numbers of runs of each prompt that cite a subject. */
export function countCited(
  { names, subjectCount, subject, cited }: CountColumns & { readonly names: NamesOfCounts },
  subjectId: string,
): number[] {
  const place = names.subjects.indexOf(subjectId);
  let end = 0;
  return names.prompts.map((_, index) => {
    let at = end;
    end += subjectCount[index] ?? 0;
    while (at < end && subject[at] !== place) at += 1;
    return at < end ? (cited[at] ?? 0) : 0;
  });
}

const ofPrompts = ['marks', 'runs', 'subjectCount'] as const;
const ofSubjects = ['subject', 'cited', 'named', 'linked', 'rankSum', 'withBrand'] as const;

/**
 * Packs the length of the names, the names as JSON, then each column after the byte width of its
 * numbers.
 */
export function packCounts({
  names,
  ...columns
}: CountColumns & { readonly names: NamesOfCounts }): Uint8Array {
  const head = Buffer.from(JSON.stringify(names));
  const length = Buffer.alloc(headLengthBytes);
  length.writeUInt32BE(head.length);
  const packed = [...ofPrompts, ...ofSubjects].map((name) => packColumn(columns[name]));
  return Buffer.concat([length, head, ...packed]);
}

const headLengthBytes = 4;

function packColumn(numbers: Numbers): Uint8Array {
  const all = Array.from(numbers);
  const largest = all.reduce((max, number) => Math.max(max, number), 0);
  let width = 1;
  while (largest >= 256 ** width) width += 1;
  const bytes = all.flatMap((number) =>
    Array.from(
      { length: width },
      (_, place) => Math.floor(number / 256 ** (width - 1 - place)) % 256,
    ),
  );
  return Uint8Array.from([width, ...bytes]);
}

/**
 * Makes the function that unpacks rows. If the names equal those of the previous row of the same
 * `series`, returns the same object without parsing them.
 */
export function createUnpacker() {
  const lastOf = new Map<string, { readonly head: Uint8Array; readonly names: NamesOfCounts }>();
  return unpack;

  function unpack(series: string, bytes: Uint8Array): CountColumns & { names: NamesOfCounts } {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    const head = bytes.subarray(headLengthBytes, headLengthBytes + length);
    const last = lastOf.get(series);
    const names =
      last !== undefined && Buffer.compare(last.head, head) === 0 ? last.names : namesIn(head);
    if (names !== last?.names) lastOf.set(series, { head, names });
    return { names, ...unpackColumns(bytes, headLengthBytes + length, names.prompts.length) };
  }
}

/**
 * Only this module writes the bytes, so the names are not checked: that would take longer than
 * adding up.
 */
function namesIn(head: Uint8Array): NamesOfCounts {
  return assumeType<NamesOfCounts>(JSON.parse(Buffer.from(head).toString()));
}

function unpackColumns(bytes: Uint8Array, start: number, promptCount: number): CountColumns {
  let at = start;
  const [marks, runs, subjectCount] = [next(promptCount), next(promptCount), next(promptCount)];
  let count = 0;
  for (let prompt = 0; prompt < promptCount; prompt += 1) count += subjectCount[prompt] ?? 0;
  const columns = {
    marks,
    runs,
    subjectCount,
    subject: next(count),
    cited: next(count),
    named: next(count),
    linked: next(count),
    rankSum: next(count),
    withBrand: next(count),
  };
  if (at !== bytes.length) throw new TypeError('A row of run_counts is damaged');
  return columns;

  function next(length: number): Numbers {
    const width = bytes[at] ?? 1;
    const column = bytes.subarray(at + 1, at + 1 + length * width);
    at += 1 + length * width;
    return width === 1 ? column : widenNumbers(column, width);
  }
}

function widenNumbers(bytes: Uint8Array, width: number): Numbers {
  const numbers = new Float64Array(bytes.length / width);
  for (let index = 0; index < bytes.length; index += 1) {
    const place = Math.floor(index / width);
    numbers[place] = (numbers[place] ?? 0) * 256 + (bytes[index] ?? 0);
  }
  return numbers;
}
