import type { Kysely } from 'kysely';
import { z } from 'zod';
import { inChunks } from '../../storage/chunks.ts';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseStoredSources } from '../../storage/counts/linked-pages.ts';
import { rangeColumns } from '../../values/counted-range.ts';
import { siteOf } from '../../values/sites/site.ts';
import { hostOf, withScheme } from '../../values/sites/web-host.ts';
import { createAnswerScanner } from '../detection/scan-answer.ts';
import type { Scanner } from '../detection/scan-answer.ts';
import { allMentions } from '../detection/names/mentions.ts';
import { sentenceAround } from '../detection/text/sentence.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import { readLatestAnswered } from '../read-stored-runs.ts';
import { readSubjects } from '../subjects.ts';
import { findNames } from './find-names.ts';
import { readLeftOut } from './left-out.ts';
import { createCaseCounter, createNameCounter } from './name-counts.ts';
import type { NameCount, SplitAnswer } from './name-counts.ts';
import { foldWord, splitWords } from './words.ts';

/** A name or a site that recurs in counted answers and is not tracked. */
export type UntrackedName = Readonly<z.infer<typeof untrackedSchema>>;

export interface UntrackedOptions {
  /** Most answers to read; the most recent are taken. */
  readonly answersMax: number;
  /** Most names to return, and most sites. */
  readonly rowsMax: number;
  readonly signal?: AbortSignal | undefined;
}

interface SiteCount {
  readonly site: string;
  answers: number;
  readonly example: UntrackedName['example'];
}

const siteAnswersMin = 3;
/** Answers may have megabytes. */
const answersAtOnce = 8;
const storedSites = z.array(z.string());

/**
 * Finds names and linked sites that recur in the latest counted answers and are neither tracked nor
 * dismissed, by the rules in docs/methodology.md. Reads the answers twice, because only all answers
 * together show which words are names.
 */
export async function findUntracked(
  db: Kysely<DataTables>,
  workspaceId: string,
  { answersMax, rowsMax, signal }: UntrackedOptions,
): Promise<{
  /** Number of counted answers that were read. */
  readonly answers: number;
  /** Most answers first. */
  readonly names: readonly UntrackedName[];
  readonly sites: readonly UntrackedName[];
}> {
  const subjects = await readSubjects(db, workspaceId);
  const { scan } = createAnswerScanner(subjects);
  const leftOut = await readLeftOut(db, workspaceId, subjects);
  const cases = createCaseCounter();
  const names = createNameCounter(cases.isName);
  const sites = new Map<string, SiteCount>();
  const languages = new Set<string>();
  let answers = 0;
  await eachAnswer((run) => {
    answers += 1;
    languages.add(run.language ?? '');
    cases.add(split(run));
    countSites(sites, run, leftOut.isOwned);
  });
  await eachAnswer((run) => names.add(split(run)));
  const all = findNames({
    ...names,
    sites: new Set(sites.keys()),
    languages: [...languages].filter((language) => language !== ''),
    isTracked: leftOut.isTracked,
    isAlsoLower: cases.isAlsoLower,
  });
  const isDismissed = ({ key }: { readonly key: string }) => leftOut.isDismissed(key);
  const recurring = all.filter((one) => !isDismissed(one)).slice(0, rowsMax);
  const sentences = await readSentences(db, workspaceId, { places: recurring.map(placeOf), scan });
  const called = new Set([...recurring, ...all.filter(isDismissed)].map(({ site }) => site));
  return {
    answers,
    names: recurring.map(({ name, site = null, count }, index) => ({
      name,
      site,
      answers: count.answers,
      example: { run_id: count.first.runId, sentence: sentences[index] ?? null, url: null },
    })),
    sites: [...sites.values()]
      .filter(
        ({ answers: often, site }) =>
          often >= siteAnswersMin && !called.has(site) && !leftOut.isSiteDismissed(site),
      )
      .toSorted((left, right) => right.answers - left.answers || (left.site < right.site ? -1 : 1))
      .slice(0, rowsMax)
      .map((one) => ({ name: null, ...one })),
  };

  async function eachAnswer(note: (run: StoredRun) => void): Promise<void> {
    for await (const runs of readLatestAnswered(db, workspaceId, { runsMax: answersMax })) {
      await listenAndRefuseIfStopped(signal);
      for (const run of runs) if (!run.isBranded) note(run);
    }
  }

  function split({ id, answer, language = '', ...range }: StoredRun): SplitAnswer {
    const { search, links } = scan(answer, language, range);
    const words = splitWords(search.text, { tracked: allMentions(search), links });
    return { runId: id, language, words };
  }
}

function placeOf({ count }: { readonly count: NameCount }): NameCount['first'] {
  return count.first;
}

/** The sentences of some places, in their order; undefined if an answer is gone. */
async function readSentences(
  db: Kysely<DataTables>,
  workspaceId: string,
  { places, scan }: { places: ReadonlyArray<NameCount['first']>; scan: Scanner['scan'] },
): Promise<Array<string | undefined>> {
  const texts = new Map<string, string>();
  for (const ids of inChunks([...new Set(places.map(({ runId }) => runId))], answersAtOnce)) {
    const rows = await db
      .selectFrom('answers')
      .select(['run_id', 'answer', ...rangeColumns])
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', ids)
      .execute();
    for (const { run_id: id, answer, ...range } of rows) {
      texts.set(id, scan(answer, undefined, range).search.text);
    }
  }
  return places.map(({ runId, start, end }) => {
    const text = texts.get(runId);
    return text === undefined ? undefined : sentenceAround(text, start, end);
  });
}

/**
 * Counts the third-party sites that an answer links to, with the first source on each as the
 * example.
 */
function countSites(
  sites: Map<string, SiteCount>,
  { id, sites: stored, sources }: StoredRun,
  isOwned: (site: string) => boolean,
): void {
  for (const site of storedSites.parse(JSON.parse(stored))) {
    if (isOwned(site)) continue;
    const count = sites.get(site);
    if (count !== undefined) {
      count.answers += 1;
      continue;
    }
    const source = parseStoredSources(sources).find(({ url }) => {
      const host = hostOf(withScheme(url));
      return host !== undefined && siteOf(host) === site;
    });
    const example = { run_id: id, sentence: source?.title ?? null, url: source?.url ?? null };
    sites.set(site, { site, answers: 1, example });
  }
}

const untrackedSchema = z.object({
  /** Null for a site without a matching name. */
  name: z.string().nullable(),
  /** Null if no linked site matches this name. */
  site: z.string().nullable(),
  /** Number of answers with the name, or, without a name, of answers that link to the site. */
  answers: z.number(),
  /** An answer in which it occurs. The sentence is null for a source that the text does not link to. */
  example: z.object({
    run_id: z.string(),
    sentence: z.string().nullable(),
    url: z.string().nullable(),
  }),
});

/**
 * Reads names and sites that were found earlier from JSON, without those tracked or dismissed
 * since.
 */
export async function keepUntracked(
  db: Kysely<DataTables>,
  workspaceId: string,
  names: readonly string[],
): Promise<UntrackedName[]> {
  const subjects = await readSubjects(db, workspaceId);
  const leftOut = await readLeftOut(db, workspaceId, subjects);
  return names
    .map((text) => untrackedSchema.parse(JSON.parse(text)))
    .filter(({ name, site }) => {
      if (name === null) {
        return site !== null && !leftOut.isOwned(site) && !leftOut.isSiteDismissed(site);
      }
      const key = foldWord(name);
      return !leftOut.isTracked(key) && !leftOut.isDismissed(key);
    });
}
