import { rankSince } from '@overheard/contract';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import { createNumbering } from './numbering.ts';
import type { Numbering } from './numbering.ts';

/** Runs of the period before, and of the period itself. */
export type Side = 'before' | 'now';

/** Counted runs of one prompt and cohort on one side. */
export interface SideCount {
  readonly runs: number;
  /** Runs in which each subject was cited, by its place. */
  readonly cited: readonly number[];
}

/** Counts of one prompt, engine and cohort. */
export interface Cell extends Readonly<Record<Side, SideCount>> {
  readonly engine: string;
}

const totalNames = ['cited', 'named', 'linked', 'ranked', 'rankSum', 'withBrand'] as const;

/** Counts of the period itself. */
type Totals = Readonly<Record<(typeof totalNames)[number], number[]>>;

/** The counts of one group. */
export interface GroupTally {
  runs: number;
  /** The cells of each prompt. */
  readonly prompts: Map<string, Cell[]>;
  /** How many runs each set of subjects judged. */
  readonly judgedBy: Readonly<Record<Side, Map<string, number>>>;
  /** By the place of the subject. */
  readonly totals: Totals;
}

/** Options of a tally. */
export interface TallyOptions {
  /** Ids of subjects. Counts refer to subjects by their place in this list. */
  readonly subjectIds: readonly string[];
  /** Whether runs of a prompt with these marks are left out. */
  readonly isLeftOut: (promptId: string, marks: number) => boolean;
}

/** The keys of the groups in which a prompt and an engine count; none if they are left out. */
export type KeysOf = (promptId: string, engine: string) => readonly string[];

/** Adds up stored counts by prompt, engine and cohort. */
export function createShareTally({ subjectIds, isLeftOut }: TallyOptions) {
  const columns = new Map<string, Column>();
  const places = new Map(subjectIds.map((id, place) => [id, place]));
  const size = subjectIds.length;
  return { add, groupBy };

  function add({ date, names, ...counts }: RunCounts, side: Side): void {
    const isRanked = date >= rankSince.slice(0, 10);
    const placesHere = names.subjects.map((id) => places.get(id));
    const column = columnOf(counts.engine, counts.cohort);
    const numbers = column.numbering.of(names);
    grow(column, size);
    const { totals } = column;
    const { runs, cited, judgedBy } = column[side];
    const judged = judgedBy.get(counts.judged_by) ?? [];
    judgedBy.set(counts.judged_by, judged);
    let end = 0;
    for (const [index, number] of numbers.entries()) {
      let at = end;
      end += counts.subjectCount[index] ?? 0;
      if (isLeftOut(names.prompts[index] ?? '', counts.marks[index] ?? 0)) continue;
      increase(runs, number, counts.runs[index]);
      increase(judged, number, counts.runs[index]);
      for (; at < end; at += 1) {
        const place = placesHere[counts.subject[at] ?? -1];
        if (place === undefined) continue;
        const into = number * size + place;
        increase(cited, into, counts.cited[at]);
        if (side === 'before') continue;
        increase(totals.named, into, counts.named[at]);
        increase(totals.linked, into, counts.linked[at]);
        increase(totals.withBrand, into, counts.withBrand[at]);
        if (isRanked) increase(totals.ranked, into, counts.cited[at]);
        if (isRanked) increase(totals.rankSum, into, counts.rankSum[at]);
      }
    }
  }

  function columnOf(engine: string, cohort: string): Column {
    const key = JSON.stringify([engine, cohort]);
    const column = columns.get(key) ?? newColumn(engine);
    columns.set(key, column);
    return column;
  }

  /** Adds the cells up, by any keys of prompt and engine. Leaves out cells without a key. */
  function groupBy(keysOf: KeysOf): Map<string, GroupTally> {
    const groups = new Map<string, GroupTally>();
    for (const column of columns.values()) {
      for (const [number, promptId] of column.numbering.ids.entries()) {
        const keys = keysOf(promptId, column.engine);
        if (keys.length === 0) continue;
        const cell = cellOf(column, number, size);
        if (cell.before.runs + cell.now.runs === 0) continue;
        for (const key of keys) {
          const group = groups.get(key) ?? newGroup(size);
          groups.set(key, group);
          addCell(group, promptId, cell);
          addTotals(group, column, number);
        }
      }
    }
    return groups;
  }
}

/**
 * Counts of one engine and cohort, by number of the prompt. The counts of a prompt's subjects are
 * adjacent.
 */
interface Column extends Readonly<Record<Side, ColumnSide>> {
  readonly engine: string;
  readonly numbering: Numbering;
  readonly totals: Totals;
}

interface ColumnSide {
  readonly runs: number[];
  readonly cited: number[];
  /** For each set of subjects, the runs that it judged. */
  readonly judgedBy: Map<string, number[]>;
}

function newColumn(engine: string): Column {
  const newSide = (): ColumnSide => ({ runs: [], cited: [], judgedBy: new Map() });
  const now = newSide();
  const totals = { ...newTotals(0), cited: now.cited };
  return { engine, numbering: createNumbering(), before: newSide(), now, totals };
}

/** Makes room for new prompts, because an array with holes is slow. */
function grow({ numbering: { ids }, before, now, totals }: Column, size: number): void {
  for (const runs of [before.runs, now.runs]) while (runs.length < ids.length) runs.push(0);
  for (const counts of [before.cited, ...Object.values(totals)]) {
    while (counts.length < ids.length * size) counts.push(0);
  }
}

function cellOf({ engine, before, now }: Column, number: number, size: number): Cell {
  const [first, end] = [number * size, (number + 1) * size];
  return {
    engine,
    before: { runs: before.runs[number] ?? 0, cited: before.cited.slice(first, end) },
    now: { runs: now.runs[number] ?? 0, cited: now.cited.slice(first, end) },
  };
}

function newTotals(size: number): Totals {
  const zeros = () => Array.from({ length: size }, () => 0);
  return {
    cited: zeros(),
    named: zeros(),
    linked: zeros(),
    ranked: zeros(),
    rankSum: zeros(),
    withBrand: zeros(),
  };
}

function newGroup(size: number): GroupTally {
  const judgedBy = { before: new Map<string, number>(), now: new Map<string, number>() };
  return { runs: 0, prompts: new Map(), judgedBy, totals: newTotals(size) };
}

function addCell(group: GroupTally, promptId: string, cell: Cell): void {
  group.runs += cell.now.runs;
  const ofPrompt = group.prompts.get(promptId);
  if (ofPrompt === undefined) group.prompts.set(promptId, [cell]);
  else ofPrompt.push(cell);
}

function addTotals({ totals, judgedBy }: GroupTally, column: Column, number: number): void {
  for (const side of ['before', 'now'] as const) {
    for (const [set, judged] of column[side].judgedBy) {
      const runs = judged[number] ?? 0;
      if (runs > 0) judgedBy[side].set(set, (judgedBy[side].get(set) ?? 0) + runs);
    }
  }
  for (const name of totalNames) {
    const [into, from] = [totals[name], column.totals[name]];
    const first = number * into.length;
    for (let place = 0; place < into.length; place += 1) {
      increase(into, place, from[first + place]);
    }
  }
}

/** Adds to a count in a list. A missing count is 0. */
export function increase(counts: number[], place: number, by = 0): void {
  counts[place] = (counts[place] ?? 0) + by;
}
