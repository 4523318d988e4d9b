import type { CitationChange } from './compare-citations.ts';

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
export function createCitationExamples(examplesMax: number): {
  add: (example: CitationExample, kind: 'recited' | 'moved') => void;
  list: () => CitationExamples;
} {
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
