import type { Transaction } from 'kysely';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { parseStoredSources } from '../../storage/counts/linked-pages.ts';
import { writeOrTry } from '../../storage/write.ts';
import type { CitationExamples, RunDifference } from './compare-citations.ts';
import { methodVersion } from '../detection/detect.ts';
import { changePageTexts, readPageTexts } from '../page-texts.ts';
import type { EngineText, TextChange } from '../page-texts.ts';
import { readStoredRuns } from '../read-stored-runs.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import { replaceDetections } from './replace-detections.ts';
import type { JudgedRun } from './replace-detections.ts';
import { recomputeScores } from '../scores/recompute.ts';
import type { EngineDay, ScoreChange } from '../scores/recompute.ts';
import { toStoredDetection } from '../stored-detections.ts';
import { createJudge, keepSubjectSet, readSubjectNames, readSubjects } from '../subjects.ts';
import type { Judge } from '../subjects.ts';
import { createCitationExamples } from './compare-citations.ts';

export interface RedetectOptions {
  readonly workspaceId: string;
  /** Only runs from this moment on. */
  readonly since?: string | undefined;
  readonly isDryRun?: boolean;
  /** Texts of pages to take off the count first, or to count again. */
  readonly texts?: readonly TextChange[];
  /** Most sentences to return of new citations, and of lost citations. */
  readonly sentencesMax?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onJudged?: (runs: number) => void;
}

/** The effect of a redetection, done or planned. */
export interface Redetection extends RedetectCount {
  readonly hasChanged: boolean;
  /** The shared texts that were taken off the count. */
  readonly stripped: readonly EngineText[];
  /** The sentences and links that make subjects newly cited, no longer cited, or moved. */
  readonly sentences: CitationExamples;
  readonly scores: readonly ScoreChange[];
  readonly warnings: readonly string[];
}

/**
 * Judges stored answers again by the current subjects, and recomputes the scores of the affected
 * days in one transaction. Runs without an answer stay as they are. Throws a `Refusal` if a person
 * has stopped it.
 */
export async function redetect(
  store: Store,
  {
    workspaceId,
    since,
    isDryRun = false,
    texts = [],
    sentencesMax = 10,
    signal,
    onJudged = () => {},
  }: RedetectOptions,
): Promise<Redetection> {
  return writeOrTry(store, workspaceId, { isDryRun, write });

  async function write(transaction: Transaction<DataTables>): Promise<Redetection> {
    const changed = await changePageTexts(transaction, workspaceId, texts);
    const judge = createJudge(
      await readSubjects(transaction, workspaceId),
      await readPageTexts(transaction, workspaceId),
    );
    await keepSubjectSet(transaction, workspaceId, judge.subjectSet);
    const names = await readSubjectNames(transaction, workspaceId);
    const tally = createRedetectTally({ names, sentencesMax });
    for await (const runs of readStoredRuns(transaction, workspaceId, { since })) {
      await listenAndRefuseIfStopped(signal);
      const judged = runs.map((run) => judgeAgain(run, judge));
      const differences = await replaceDetections(store, transaction, workspaceId, judged);
      for (const run of judged) tally.add(run, differences.get(run.id));
      onJudged(tally.count.judged);
    }
    const { count, days, sentences } = tally;
    const scores = await recomputeScores(transaction, workspaceId, [...days.values()]);
    return {
      hasChanged: changed.hasChanged || days.size + count.outdated > 0,
      stripped: changed.stripped,
      ...count,
      sentences: sentences(),
      scores,
      warnings: judge.warnings,
    };
  }
}

function judgeAgain(run: StoredRun, judge: Judge): JudgedRun {
  const sources = parseStoredSources(run.sources);
  const { detections, sites, range } = judge.judgeAnswer(run, sources, run);
  return {
    id: run.id,
    run,
    ...judge.judgePrompt(run),
    judgedBy: judge.subjectSet.id,
    isOutdated: run.method !== methodVersion || run.namesCompetitor === null,
    sites: JSON.stringify(sites),
    range,
    detections: detections.map((detection) => toStoredDetection(run.id, detection)),
  };
}

/** How many runs a redetection judged and changed. */
interface RedetectCount {
  /** Runs with an answer, all of which were judged. */
  readonly judged: number;
  /**
   * Runs with changed detections, or whose prompt's naming of the brand or a competitor changed.
   */
  readonly changed: number;
  /** Of the changed runs, those that cite different subjects. */
  readonly recited: number;
  /** Of the other changed runs, those in which a cited subject has another position or rank. */
  readonly moved: number;
  /** Runs that were last judged by another method. */
  readonly outdated: number;
}

/** Counts judged runs, and collects the engines' days whose counts change. */
function createRedetectTally({
  names,
  sentencesMax,
}: {
  /** Names of the subjects, by id. */
  names: ReadonlyMap<string, string>;
  sentencesMax: number;
}) {
  const count = { judged: 0, changed: 0, recited: 0, moved: 0, outdated: 0 };
  const days = new Map<string, EngineDay>();
  const examples = createCitationExamples(sentencesMax);
  return { add, count, days, sentences: examples.list };

  function add(judged: JudgedRun, difference: RunDifference | undefined): void {
    count.judged += 1;
    if (judged.isOutdated) count.outdated += 1;
    const { runAt, engine } = judged.run;
    const hasChanged = difference !== undefined || hasOtherPromptFacts(judged);
    if (hasChanged || judged.judgedBy !== judged.run.judgedBy) {
      const day = { date: runAt.slice(0, 10), engine };
      days.set(`${day.date} ${day.engine}`, day);
    }
    if (!hasChanged) return;
    count.changed += 1;
    if (difference === undefined || difference.kind === 'relabelled') return;
    count[difference.kind] += 1;
    for (const change of difference.changes) {
      const id = change.subject_id ?? '';
      const subject = names.get(id) ?? id;
      examples.add({ ...change, run_at: runAt, engine, subject }, difference.kind);
    }
  }
}

/** A fact that was not stored before does not count as changed. */
function hasOtherPromptFacts({ run, isBranded, namesCompetitor }: JudgedRun): boolean {
  return (
    isBranded !== run.isBranded || namesCompetitor !== (run.namesCompetitor ?? namesCompetitor)
  );
}
