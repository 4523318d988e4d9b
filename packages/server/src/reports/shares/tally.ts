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

type Cell = Record<Side, SideCount>;

/** What was counted in one group. */
export interface GroupTally {
  runs: number;
  /** By prompt, then by cohort. */
  readonly prompts: Map<string, Map<string, Cell>>;
  /** The sets of subjects that judged the runs. */
  readonly judgedBy: Readonly<Record<Side, Set<string>>>;
  /** Of the period itself, by the place of the subject. */
  readonly totals: Record<'cited' | 'named' | 'linked' | 'ranked' | 'rankSum', number[]>;
}

/** What is counted, and into which group. */
export interface TallyOptions {
  /** Ids of subjects: a place in this list is what counts are by. */
  readonly subjectIds: readonly string[];
  /** Whether runs of a prompt are left out. */
  readonly isLeftOut: (promptId: string, namesCompetitor: boolean) => boolean;
  readonly groupOf: (promptId: string, engine: string) => string;
}

/** Adds up stored counts by group. */
export function createTally({ subjectIds, isLeftOut, groupOf }: TallyOptions): {
  add: (counts: RunCounts, side: Side) => void;
  readonly groups: ReadonlyMap<string, GroupTally>;
} {
  const groups = new Map<string, GroupTally>();
  const places = new Map(subjectIds.map((id, place) => [id, place]));
  const none = () => subjectIds.map(() => 0);
  return { add, groups };

  function add(
    { date, engine, cohort, judged_by, subjects, prompts }: RunCounts,
    side: Side,
  ): void {
    const isRanked = date >= rankSince.slice(0, 10);
    const placesHere = subjects.map((id) => places.get(id));
    for (const [promptId, namesCompetitor, runs, counts] of prompts) {
      if (isLeftOut(promptId, namesCompetitor === 1)) continue;
      const group = groupFor(groupOf(promptId, engine));
      group.judgedBy[side].add(judged_by);
      const cell = cellFor(group, promptId, cohort)[side];
      cell.runs += runs;
      if (side === 'now') group.runs += runs;
      for (const [subject, cited, named, linked, rankSum] of counts) {
        const place = placesHere[subject];
        if (place === undefined) continue;
        increase(cell.cited, place, cited);
        if (side === 'before') continue;
        const { totals } = group;
        increase(totals.cited, place, cited);
        increase(totals.named, place, named);
        increase(totals.linked, place, linked);
        if (isRanked) increase(totals.ranked, place, cited);
        if (isRanked) increase(totals.rankSum, place, rankSum);
      }
    }
  }

  function groupFor(key: string): GroupTally {
    const known = groups.get(key);
    if (known !== undefined) return known;
    const group: GroupTally = {
      runs: 0,
      prompts: new Map(),
      judgedBy: { before: new Set(), now: new Set() },
      totals: { cited: none(), named: none(), linked: none(), ranked: none(), rankSum: none() },
    };
    groups.set(key, group);
    return group;
  }

  function cellFor({ prompts }: GroupTally, promptId: string, cohort: string): Cell {
    const cohorts = prompts.get(promptId) ?? new Map<string, Cell>();
    prompts.set(promptId, cohorts);
    const cell = cohorts.get(cohort) ?? {
      before: { runs: 0, cited: none() },
      now: { runs: 0, cited: none() },
    };
    cohorts.set(cohort, cell);
    return cell;
  }
}

function increase(counts: number[], place: number, by: number): void {
  counts[place] = (counts[place] ?? 0) + by;
}
