import type { RunDifference } from './compare-citations.ts';
import { createCitationExamples } from './citation-examples.ts';
import type { CitationExamples } from './citation-examples.ts';
import type { JudgedRun } from '../judged-run.ts';
import type { EngineDay } from '../scores/recompute.ts';

/** How many runs a redetection judged and changed. */
export interface RedetectCount {
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
export function createRedetectTally({
  names,
  sentencesMax,
}: {
  /** Names of the subjects, by id. */
  names: ReadonlyMap<string, string>;
  sentencesMax: number;
}): {
  add: (run: JudgedRun, difference: RunDifference | undefined) => void;
  readonly count: RedetectCount;
  readonly days: ReadonlyMap<string, EngineDay>;
  sentences: () => CitationExamples;
} {
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
