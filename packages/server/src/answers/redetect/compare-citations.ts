import type { SubjectType } from '@overheard/contract';
import type { StoredDetection } from '../stored-detections.ts';

/** A stored detection. The databases return booleans in different forms, and both are accepted. */
export type ComparableDetection = Omit<StoredDetection, 'sentiment' | 'cited'> & {
  readonly cited: boolean | 0 | 1;
};

/** The mention or link that makes a subject cited in a run, or that no longer does. */
export interface CitationChange {
  readonly run_id: string;
  readonly subject_type: SubjectType;
  readonly subject_id: string | null;
  readonly change: 'comes' | 'goes';
  /** The alias that the first mention matched; null for a link. */
  readonly alias: string | null;
  /** Null for a source, which has no sentence. */
  readonly sentence: string | null;
  /** The link or source; null for a mention. */
  readonly url: string | null;
}

/** The difference between two sets of detections of one run. */
export interface RunDifference {
  /**
   * `recited`: different subjects are cited. `moved`: the same subjects are cited at other places
   * or in another order. `relabelled`: only the stored alias, sentence or link differs, or uncited
   * subjects were added or removed.
   */
  readonly kind: 'recited' | 'moved' | 'relabelled';
  /** The changes of subjects that become cited, stop being cited, or are cited at another place. */
  readonly changes: readonly CitationChange[];
}

/** Compares the removed detections of a run with the added ones. */
export function compareCitations(
  goneDetections: readonly ComparableDetection[],
  addedDetections: readonly ComparableDetection[],
): RunDifference {
  const before = citedBySubject(goneDetections);
  const after = citedBySubject(addedDetections);
  const left = [...before].filter(([subject]) => !after.has(subject));
  const come = [...after].filter(([subject]) => !before.has(subject));
  const both = [...after].flatMap(([subject, now]) => {
    const old = before.get(subject);
    return old === undefined ? [] : [{ old, now }];
  });
  const replaced = both.filter(({ old, now }) => placeOf(old) !== placeOf(now));
  const hasMoved = replaced.length > 0 || both.some(({ old, now }) => old.rank !== now.rank);
  const isRecited = left.length + come.length > 0;
  return {
    kind: isRecited ? 'recited' : hasMoved ? 'moved' : 'relabelled',
    changes: [
      ...left.map(([, row]) => changeOf(row, 'goes')),
      ...come.map(([, row]) => changeOf(row, 'comes')),
      ...replaced.flatMap(({ old, now }) => [changeOf(old, 'goes'), changeOf(now, 'comes')]),
    ],
  };
}

function citedBySubject(
  rows: readonly ComparableDetection[],
): ReadonlyMap<string, ComparableDetection> {
  const cited = rows.filter((row) => Boolean(row.cited));
  return new Map(cited.map((row) => [row.subject_id ?? row.subject_type, row]));
}

/** Where a subject is cited: at its first mention, else by its first link. */
function placeOf({ position, url }: ComparableDetection): string {
  return position === null ? `link ${url}` : `mention ${position}`;
}

function changeOf(row: ComparableDetection, change: CitationChange['change']): CitationChange {
  const { run_id, subject_type, subject_id, alias, sentence } = row;
  const url = row.position === null ? row.url : null;
  return { run_id, subject_type, subject_id, change, alias, sentence, url };
}

/** A change with the run in which it happens and the name of its subject. */
export interface CitationExample extends CitationChange {
  readonly run_at: string;
  readonly engine: string;
  readonly subject: string;
}

/** The first changes of each direction, and how many there are. */
export interface CitationExamples {
  readonly comes: number;
  readonly goes: number;
  /**
   * At most the requested number of changes in each direction. Runs that cite different subjects
   * come first, then runs in which subjects moved.
   */
  readonly examples: readonly CitationExample[];
}

/** Counts changes and keeps the first ones: a workspace may have millions. */
export function createCitationExamples(examplesMax: number) {
  const count = { comes: 0, goes: 0 };
  const byDirection = {
    comes: { recited: new Array<CitationExample>(), moved: new Array<CitationExample>() },
    goes: { recited: new Array<CitationExample>(), moved: new Array<CitationExample>() },
  };
  return { add, list };

  function add(example: CitationExample, kind: 'recited' | 'moved'): void {
    count[example.change] += 1;
    const group = byDirection[example.change][kind];
    if (group.length < examplesMax) group.push(example);
  }

  function list(): CitationExamples {
    const { comes, goes } = byDirection;
    const examples = [comes, goes].flatMap(({ recited, moved }) =>
      [...recited, ...moved].slice(0, examplesMax),
    );
    return { ...count, examples };
  }
}
