import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { roundFigure, wilsonInterval } from '../../values/statistics/estimate.ts';
import type { Interval } from '../../values/statistics/estimate.ts';
import { addMentions, readExplainedRuns } from './explained-runs.ts';
import type { CitingRun, ExplainedRun, StoredCitation } from './explained-runs.ts';
import { shareOfVoice } from '../../values/statistics/share-of-voice.ts';
import type { Counts } from '../../values/statistics/share-of-voice.ts';
import type { EngineDay, Figures } from './recompute.ts';

/** A prompt's text, and its number of runs. */
export interface PromptRuns {
  readonly asked: string;
  readonly runs: number;
}

/** A score with everything that it was computed from. */
export interface Explanation extends EngineDay {
  /** The stored score; undefined if there is none. */
  readonly stored: (Figures & { readonly origin: 'derived' | 'imported' }) | undefined;
  readonly counts: Counts;
  /** Counted runs that name the brand. */
  readonly named: number;
  /** Counted runs that link to the brand. A run may both name it and link to it. */
  readonly linked: number;
  /** The figures that follow from the counts. */
  readonly sov: number;
  /** The number of runs that cite each cited competitor, largest first. */
  readonly competitors: ReadonlyArray<{ readonly subject: string; readonly runs: number }>;
  /** 95 % Wilson interval of citations / total_runs. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
  /** Counted prompts that name a competitor, with their runs. */
  readonly competitor_prompts: readonly PromptRuns[];
  /** The same figures over the counted runs of all other prompts. */
  readonly without_competitor_prompts: { readonly counts: Counts; readonly sov: number };
  /** Counted runs for which it is unknown whether their prompt names a competitor. */
  readonly unclassified: number;
  readonly runs: readonly ExplainedRun[];
  /** Prompts left out because they name the brand, with their answered runs. */
  readonly branded: readonly PromptRuns[];
  /** Runs that were not answered, by outcome. */
  readonly uncounted: Readonly<Record<'refused' | 'empty' | 'failed', number>>;
  /** Runs that were imported with their detections. No score is derived from them. */
  readonly imported: number;
}

/**
 * Explains the score of one engine's UTC day, down to the sentences. Each subject of a run has at
 * most `mentionsMax` of them.
 */
export async function explainScore(
  db: Kysely<DataTables>,
  workspaceId: string,
  day: EngineDay,
  { mentionsMax = 10 }: { mentionsMax?: number } = {},
): Promise<Explanation> {
  const all = await readExplainedRuns(db, workspaceId, {
    from: day.date,
    to: day.date,
    engines: [day.engine],
  });
  const answered = all.filter(({ outcome }) => outcome === 'answered');
  const counted = answered.filter(({ isBranded }) => !isBranded);
  const counts = countCited(counted);
  const ofBrand = citationsOf(counted, 'brand');
  const withoutRivals = countCited(counted.filter((run) => run.names_competitor !== true));
  const ended = new Map(tally(all.map(({ outcome }) => outcome ?? 'imported')));
  return {
    date: day.date,
    engine: day.engine,
    stored: await readStoredScore(db, workspaceId, day),
    counts,
    named: ofBrand.filter(({ position }) => position !== null).length,
    linked: ofBrand.filter(({ url }) => url !== null).length,
    sov: shareOfVoice(counts),
    competitors: tally(citationsOf(counted, 'competitor').map(({ subject }) => subject)).map(
      ([subject, count]) => ({ subject, runs: count }),
    ),
    interval: roundInterval(wilsonInterval({ part: counts.brand, whole: counts.runs })),
    competitor_prompts: promptsOf(counted.filter((run) => run.names_competitor === true)),
    without_competitor_prompts: { counts: withoutRivals, sov: shareOfVoice(withoutRivals) },
    unclassified: counted.filter((run) => run.names_competitor === null).length,
    runs: await addMentions(db, workspaceId, {
      runs: counted.map(({ outcome: _, isBranded: __, ...run }) => run),
      day,
      mentionsMax,
    }),
    branded: promptsOf(answered.filter(({ isBranded }) => isBranded)),
    uncounted: {
      refused: ended.get('refused') ?? 0,
      empty: ended.get('empty') ?? 0,
      failed: ended.get('failed') ?? 0,
    },
    imported: ended.get('imported') ?? 0,
  };
}

function readStoredScore(db: Kysely<DataTables>, workspaceId: string, day: EngineDay) {
  return db
    .selectFrom('scores')
    .select(['citations', 'total_runs', 'sov', 'origin'])
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', day.date)
    .where('engine', '=', day.engine)
    .executeTakeFirst();
}

function countCited(runs: readonly CitingRun[]): Counts {
  return {
    runs: runs.length,
    brand: citationsOf(runs, 'brand').length,
    competitors: citationsOf(runs, 'competitor').length,
  };
}

function citationsOf(
  runs: readonly CitingRun[],
  type: StoredCitation['subject_type'],
): StoredCitation[] {
  return runs.flatMap(({ cited }) => cited).filter((one) => one.subject_type === type);
}

function promptsOf(runs: readonly CitingRun[]): PromptRuns[] {
  return tally(runs.map(({ asked: prompt }) => prompt)).map(([prompt, count]) => ({
    asked: prompt,
    runs: count,
  }));
}

/** Counts how often each text occurs: most frequent first, then by code points. */
function tally(texts: readonly string[]): Array<[text: string, count: number]> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(
    ([left, most], [right, more]) => more - most || (left < right ? -1 : 1),
  );
}

function roundInterval(interval: Interval | undefined): Interval | undefined {
  return interval && { low: roundFigure(interval.low), high: roundFigure(interval.high) };
}
