import { rankSince } from '@overheard/contract';
import type { RunCounts } from '../../storage/rollups/run-counts.ts';

/** Runs of the period before, and of the period itself. */
export type Side = 'before' | 'now';

/** Counted runs of one prompt and cohort on one side. */
export interface SideCount {
  runs: number;
  /** Runs in which each subject was cited, by its place. */
  readonly cited: number[];
}

type Totals = Record<'cited' | 'named' | 'linked' | 'ranked' | 'rankSum', number[]>;

/** Counts of one prompt, engine and cohort. */
export interface Cell extends Readonly<Record<Side, SideCount>> {
  /** The sets of subjects that judged the runs. */
  readonly judgedBy: Readonly<Record<Side, Set<string>>>;
  /** Of the period itself, by the place of the subject. */
  readonly totals: Totals;
}

/** What was counted in one group. */
export interface GroupTally {
  runs: number;
  /** The cells of each prompt. */
  readonly prompts: Map<string, Cell[]>;
  readonly judgedBy: Cell['judgedBy'];
  readonly totals: Totals;
}

/** What is counted. */
export interface TallyOptions {
  /** Ids of subjects: a place in this list is what counts are by. */
  readonly subjectIds: readonly string[];
  /** Whether runs of a prompt are left out. */
  readonly isLeftOut: (promptId: string, namesCompetitor: boolean) => boolean;
}

/** Counts that can be grouped. */
export interface ShareTally {
  add: (counts: RunCounts, side: Side) => void;
  /** Adds the cells up, by any key of prompt and engine. */
  groupBy: (keyOf: (promptId: string, engine: string) => string) => ReadonlyMap<string, GroupTally>;
}

/** Adds up stored counts by prompt, engine and cohort. */
export function createTally({ subjectIds, isLeftOut }: TallyOptions): ShareTally {
  /** By engine and cohort, then by prompt. */
  const columns = new Map<string, { readonly engine: string; readonly cells: Map<string, Cell> }>();
  const places = new Map(subjectIds.map((id, place) => [id, place]));
  const none = () => subjectIds.map(() => 0);
  return { add, groupBy };

  function add(
    { date, engine, cohort, judged_by, subjects, prompts }: RunCounts,
    side: Side,
  ): void {
    const isRanked = date >= rankSince.slice(0, 10);
    const placesHere = subjects.map((id) => places.get(id));
    const cells = cellsOf(engine, cohort);
    // Hundreds of thousands of entries: taking them apart by name would take most of the time.
    for (const entry of prompts) {
      if (isLeftOut(entry[0], entry[1] === 1)) continue;
      const cell = cells.get(entry[0]) ?? newCell();
      if (cell.before.runs + cell.now.runs === 0) cells.set(entry[0], cell);
      cell.judgedBy[side].add(judged_by);
      const count = cell[side];
      const { totals } = cell;
      count.runs += entry[2];
      for (const counts of entry[3]) {
        const place = placesHere[counts[0]];
        if (place === undefined) continue;
        increase(count.cited, place, counts[1]);
        if (side === 'before') continue;
        increase(totals.cited, place, counts[1]);
        increase(totals.named, place, counts[2]);
        increase(totals.linked, place, counts[3]);
        if (isRanked) increase(totals.ranked, place, counts[1]);
        if (isRanked) increase(totals.rankSum, place, counts[4]);
      }
    }
  }

  function cellsOf(engine: string, cohort: string): Map<string, Cell> {
    const key = JSON.stringify([engine, cohort]);
    const column = columns.get(key) ?? { engine, cells: new Map() };
    columns.set(key, column);
    return column.cells;
  }

  function newCell(): Cell {
    return {
      before: { runs: 0, cited: none() },
      now: { runs: 0, cited: none() },
      judgedBy: { before: new Set(), now: new Set() },
      totals: newTotals(),
    };
  }

  function newTotals(): Totals {
    return { cited: none(), named: none(), linked: none(), ranked: none(), rankSum: none() };
  }

  function groupBy(keyOf: (promptId: string, engine: string) => string): Map<string, GroupTally> {
    const groups = new Map<string, GroupTally>();
    for (const { engine, cells } of columns.values()) {
      for (const [promptId, cell] of cells) {
        const key = keyOf(promptId, engine);
        const group = groups.get(key) ?? {
          runs: 0,
          prompts: new Map<string, Cell[]>(),
          judgedBy: { before: new Set<string>(), now: new Set<string>() },
          totals: newTotals(),
        };
        groups.set(key, group);
        addCell(group, promptId, cell);
      }
    }
    return groups;
  }
}

function addCell(group: GroupTally, promptId: string, cell: Cell): void {
  group.runs += cell.now.runs;
  const ofPrompt = group.prompts.get(promptId);
  if (ofPrompt === undefined) group.prompts.set(promptId, [cell]);
  else ofPrompt.push(cell);
  for (const side of ['before', 'now'] as const) {
    for (const set of cell.judgedBy[side]) group.judgedBy[side].add(set);
  }
  for (const name of ['cited', 'named', 'linked', 'ranked', 'rankSum'] as const) {
    const [into, from] = [group.totals[name], cell.totals[name]];
    for (let place = 0; place < from.length; place += 1) increase(into, place, from[place] ?? 0);
  }
}

function increase(counts: number[], place: number, by: number): void {
  counts[place] = (counts[place] ?? 0) + by;
}
