import type { Searched } from '@overheard/contract';
import { hasMark, marks, searchOf } from './run-marks.ts';
import type { PackedNames, PackedRuns } from './packed-runs.ts';

/**
 * The runs that cite a site or page, also by the subjects cited with it. Moments are in
 * milliseconds since 1970.
 */
export interface CitedCount {
  readonly name: string;
  runs: number;
  brand: number;
  competitor: number;
  gap: number;
  first: number;
  last: number;
  /** The title in the latest run that has one. */
  title: string | null;
  titledAt: number;
}

/** Which runs to count. */
export interface RunFilter {
  /** Only runs of these prompts; all if undefined. */
  readonly promptIds?: ReadonlySet<string> | undefined;
  readonly excludesCompetitorPrompts?: boolean | undefined;
  /** Only runs whose engine searched, or did not. */
  readonly searched?: Searched | undefined;
  /** Only runs that cite this competitor. */
  readonly competitorId?: string | undefined;
}

type Day = Pick<PackedRuns, 'runs' | 'competitors' | 'prompts'>;

/** A sum of the sites or pages that runs cite. */
export interface SourceSum {
  add(date: string, day: Day, cited: PackedNames): void;
  readonly runs: () => number;
  readonly counts: () => CitedCount[];
}

/** Makes a sum of the names that `isWanted` accepts. */
export function createSourceSum(
  { promptIds, excludesCompetitorPrompts = false, searched, competitorId }: RunFilter,
  isWanted: (name: string) => boolean,
): SourceSum {
  let total = 0;
  const unwanted = startCount('');
  const byName = new Map<string, CitedCount>();
  return {
    add,
    runs: () => total,
    counts: () => [...byName.values()].filter((count) => count !== unwanted && count.runs > 0),
  };

  function add(
    date: string,
    { runs, competitors, prompts }: Day,
    { names, titles = [], cited }: PackedNames,
  ): void {
    const dayStart = Date.parse(date);
    const counts = names.map(open);
    const isCiting = competitorId === undefined ? [] : runsWith(competitors, competitorId);
    let next = 0;
    for (let run = 0; 2 * run < runs.length; run += 1) {
      const marked = runs[2 * run] ?? 0;
      const end = next + 1 + (cited[next] ?? 0);
      const isLeftOut =
        (competitorId !== undefined && isCiting[run] !== true) ||
        (excludesCompetitorPrompts && hasMark(marked, 'namesCompetitor')) ||
        (searched !== undefined && searchOf(marked) !== searched) ||
        (promptIds !== undefined &&
          !promptIds.has(prompts.names[prompts.cited[2 * run + 1] ?? 0] ?? ''));
      if (isLeftOut) {
        next = end;
        continue;
      }
      total += 1;
      const at = dayStart + (runs[2 * run + 1] ?? 0);
      for (next += 1; next < end; next += 1) {
        const place = cited[next] ?? 0;
        addRun(counts[place] ?? unwanted, { marked, at, title: titles[place] ?? null });
      }
    }
  }

  function open(name: string): CitedCount {
    let count = byName.get(name);
    if (count === undefined) {
      count = isWanted(name) ? startCount(name) : unwanted;
      byName.set(name, count);
    }
    return count;
  }
}

/** Finds, for each run, whether it has the name. */
function runsWith({ names, cited }: PackedNames, name: string): boolean[] {
  const place = names.indexOf(name);
  const has: boolean[] = [];
  for (let next = 0; next < cited.length;) {
    const end = next + 1 + (cited[next] ?? 0);
    for (next += 1; next < end && cited[next] !== place;) next += 1;
    has.push(next < end);
    next = end;
  }
  return has;
}

function startCount(name: string): CitedCount {
  const none = { runs: 0, brand: 0, competitor: 0, gap: 0 };
  return { name, ...none, first: Infinity, last: 0, title: null, titledAt: 0 };
}

function addRun(
  count: CitedCount,
  { marked, at, title }: { marked: number; at: number; title: string | null },
): void {
  const [brand, competitor] = [marked & marks.citesBrand, (marked & marks.citesCompetitor) >> 1];
  count.runs += 1;
  count.brand += brand;
  count.competitor += competitor;
  count.gap += competitor & ~brand;
  if (at < count.first) count.first = at;
  if (at > count.last) count.last = at;
  if (title === null || at < count.titledAt) return;
  count.title = title;
  count.titledAt = at;
}
