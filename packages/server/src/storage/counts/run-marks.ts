import type { Searched } from '@overheard/contract';

/** Bits of what is known of a counted run. */
export const marks = {
  citesBrand: 1,
  citesCompetitor: 2,
  namesCompetitor: 4,
  saysSearch: 8,
  searched: 16,
};

type StoredBoolean = boolean | 0 | 1 | null;

/** What is known of a run without its citations. */
export interface RunFacts {
  /** Null if an older version did not store it: it counts as if the prompt named no competitor. */
  readonly names_competitor: StoredBoolean;
  /** Whether the engine searched; null if that is unknown. */
  readonly searched: StoredBoolean;
}

/** The bits of these facts. */
export function marksOf({ names_competitor: names, searched }: RunFacts): number {
  return (
    (names ? marks.namesCompetitor : 0) +
    (searched === null ? 0 : marks.saysSearch) +
    (searched ? marks.searched : 0)
  );
}

/** Whether a run has the bit. */
export function hasMark(marked: number, name: keyof typeof marks): boolean {
  return (marked & marks[name]) !== 0;
}

/** Whether the engine of a run searched; undefined if that is unknown. */
export function searchOf(marked: number): Searched | undefined {
  if (!hasMark(marked, 'saysSearch')) return undefined;
  return hasMark(marked, 'searched') ? 'yes' : 'no';
}
