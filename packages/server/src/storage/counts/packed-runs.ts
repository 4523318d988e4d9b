import { z } from 'zod';
import { pageOf } from '../../values/sites/site.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { parseStoredSources, writtenAddresses } from './linked-pages.ts';
import { marks, marksOf } from './run-marks.ts';
import type { RunFacts } from './run-marks.ts';

/** An answer with the sites that it cites. */
export interface CitingRun extends CountedRange {
  readonly answer: string;
  /** JSON, as in `answers`. */
  readonly sources: string;
  readonly sites: string;
}

/** A counted run with the sites and subjects that its answer cites. */
export interface SourcedRun extends CitingRun, RunFacts {
  readonly run_at: string;
  readonly prompt_id: string | null;
  readonly citesBrand: boolean;
  /** Ids of the cited competitors; an imported detection may have none. */
  readonly competitors: ReadonlyArray<string | null>;
}

/**
 * Distinct names and, for each run, the number of its names followed by their indexes in the list.
 */
export interface PackedNames {
  readonly names: readonly string[];
  /** Titles of pages. A page has one entry for each of its titles. */
  readonly titles?: ReadonlyArray<string | null>;
  readonly cited: readonly number[];
}

/** Counted runs of one UTC day in the order of their moments, with the names that they cite. */
export interface PackedRuns {
  /** For each run its `marks`, then the milliseconds since the day began. */
  readonly runs: readonly number[];
  /** Items without an id have an empty name, here and in `prompts`. */
  readonly competitors: PackedNames;
  readonly prompts: PackedNames;
  readonly sites: PackedNames;
  readonly pages: PackedNames;
}

/** The names of each run, in the order of the runs. */
export function* eachPackedName({ names, cited }: PackedNames): Generator<string[]> {
  for (let next = 0; next < cited.length;) {
    const end = next + 1 + (cited[next] ?? 0);
    yield cited.slice(next + 1, end).map((place) => names[place] ?? '');
    next = end;
  }
}

const storedSites = z.array(z.string());

/** Packs the runs of one day. */
export function packRuns(date: string, runs: readonly SourcedRun[]): PackedRuns {
  const dayStart = Date.parse(date);
  return {
    runs: runs.flatMap((run) => [allMarksOf(run), Date.parse(run.run_at) - dayStart]),
    competitors: packNames(runs, ({ competitors }) =>
      competitors.map((id) => ({ name: id ?? '' })),
    ),
    prompts: packNames(runs, ({ prompt_id: id }) => [{ name: id ?? '' }]),
    sites: packNames(runs, ({ sites }) =>
      storedSites.parse(JSON.parse(sites)).map((name) => ({ name })),
    ),
    pages: packNames(runs, citedPages),
  };
}

function allMarksOf({ citesBrand, competitors, ...facts }: SourcedRun): number {
  return (
    (citesBrand ? marks.citesBrand : 0) +
    (competitors.length > 0 ? marks.citesCompetitor : 0) +
    marksOf(facts)
  );
}

interface Name {
  readonly name: string;
  readonly title?: string | undefined;
}

function packNames(
  runs: readonly SourcedRun[],
  namesOf: (run: SourcedRun) => readonly Name[],
): PackedNames {
  const places = new Map<string, number>();
  const names: string[] = [];
  const titles: Array<string | null> = [];
  const cited: number[] = [];
  for (const run of runs) {
    const ofRun = namesOf(run);
    cited.push(ofRun.length);
    for (const { name, title } of ofRun) {
      const key = JSON.stringify([name, title]);
      const place = places.get(key) ?? names.length;
      cited.push(place);
      if (place < names.length) continue;
      places.set(key, place);
      names.push(name);
      titles.push(title ?? null);
    }
  }
  return titles.some((title) => title !== null) ? { names, titles, cited } : { names, cited };
}

/**
 * The pages of an answer's sources and links, each once, with its first title. They add up to its
 * sites: a site without a page, such as a bare domain in the text, has its first page.
 */
export function citedPages(run: CitingRun): Name[] {
  const pages = new Map<string, string | undefined>();
  const sites = new Set(storedSites.parse(JSON.parse(run.sites)));
  const without = new Set(sites);
  const sources = parseStoredSources(run.sources);
  const links = sites.size === 0 ? [] : writtenAddresses(run).map((url) => ({ url, title: '' }));
  for (const { url, title } of [...sources, ...links]) {
    const page = pageOf(url);
    if (page === undefined || !sites.has(page.site)) continue;
    pages.set(page.url, pages.get(page.url) ?? title);
    without.delete(page.site);
  }
  for (const site of without) pages.set(`https://${site}/`, undefined);
  return [...pages].map(([name, title]) => (title === '' ? { name } : { name, title }));
}
