import type { ChangedVerdict } from '../hits/judge-neighbours.ts';

/** Verdicts that changed while a batch was written, until they can be counted. */
export interface GatheredChanges {
  add(changed: readonly ChangedVerdict[]): void;
  /** Whether there were any, of the evidence alone too. */
  readonly isEmpty: boolean;
  /** Those of hits whose lines are remembered, in the order in which they changed. */
  readonly remembered: readonly ChangedVerdict[];
  /** How many were of hits further back. */
  readonly others: number;
}

/** Gathers changes: those of hits further back are counted alone, since they may be most of all hits. */
export function gatherChanges(isRemembered: (id: string) => boolean): GatheredChanges {
  const remembered: ChangedVerdict[] = [];
  let others = 0;
  let isEmpty = true;
  return {
    add,
    remembered,
    get others() {
      return others;
    },
    get isEmpty() {
      return isEmpty;
    },
  };

  function add(changed: readonly ChangedVerdict[]): void {
    isEmpty &&= changed.length === 0;
    for (const change of changed) {
      if (change.row.verification === change.verification) continue;
      if (isRemembered(change.row.id)) remembered.push(change);
      else others++;
    }
  }
}
