import type { StoredDetection } from '../stored-detections.ts';

/** A detection as it is stored, with a boolean as either database reads it. */
export type ComparableDetection = Omit<StoredDetection, 'sentiment' | 'cited'> & {
  readonly cited: boolean | 0 | 1;
};

/** The sentence or the link by which a subject comes to be cited in a run, or no longer is. */
export interface CitationChange {
  readonly run_id: string;
  readonly subject_type: 'brand' | 'competitor';
  readonly subject_id: string | null;
  readonly change: 'comes' | 'goes';
  /** The alias that the first mention met; null for a link. */
  readonly alias: string | null;
  /** Null for a source, which has no sentence. */
  readonly sentence: string | null;
  /** The link or source; null for a mention. */
  readonly url: string | null;
}

/** How the detections of one run differ. */
export interface RunDifference {
  /**
   * `recited`: other subjects are cited. `moved`: the same ones, at other places or in another
   * order. `relabelled`: only the alias, the sentence or the link that is kept differs, or subjects
   * that are not cited come and go.
   */
  readonly kind: 'recited' | 'moved' | 'relabelled';
  /** Of subjects that come, go, or are cited at another place. */
  readonly changes: readonly CitationChange[];
}

/** Compares the detections of a run that are gone with those that were added. */
export function compareCitations(
  gone: readonly ComparableDetection[],
  added: readonly ComparableDetection[],
): RunDifference {
  const before = citedBySubject(gone);
  const after = citedBySubject(added);
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
