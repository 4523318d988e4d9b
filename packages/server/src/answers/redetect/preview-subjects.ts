import type { Kysely } from 'kysely';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseStoredSources } from '../../storage/counts/linked-pages.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import { createPreviewTally } from './preview-tally.ts';
import type { PreviewedRun, SubjectPreview } from './preview-tally.ts';
import { readLatestAnswered } from '../read-stored-runs.ts';
import { toStoredDetection } from '../stored-detections.ts';
import { readPageTexts } from '../page-texts.ts';
import { createJudge, readSubjects } from '../subjects.ts';
import type { Judge, TrackedSubject } from '../subjects.ts';

/** A planned change of one subject. A new id adds the subject; undefined removes it. */
export interface PlannedSubject {
  readonly id: string;
  readonly subject: TrackedSubject | undefined;
}

export interface PreviewOptions {
  readonly change: PlannedSubject;
  /** Most answers to judge; the most recent are taken. */
  readonly answersMax?: number;
  /** Most sentences to return of new citations, and of lost citations. */
  readonly sentencesMax?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onJudged?: (answers: number) => void;
}

/** The default numbers of answers that a preview judges and of sentences that it shows. */
export const previewed = { answersMax: 500, sentencesMax: 10 } as const;

/**
 * Judges the latest answers by the current and by the planned subjects, and returns the citations
 * that would be gained and lost. Changes nothing. Throws a `Refusal` if a pattern is invalid or a
 * person has stopped it.
 */
export async function previewSubjects(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    change,
    answersMax = previewed.answersMax,
    sentencesMax = previewed.sentencesMax,
    signal,
    onJudged = () => {},
  }: PreviewOptions,
): Promise<SubjectPreview> {
  const before = await readSubjects(db, workspaceId);
  const after = replaceSubject(before, change);
  const texts = await readPageTexts(db, workspaceId);
  const judges = { before: createJudge(before, texts), after: createJudge(after, texts) };
  const tally = createPreviewTally([...before, ...after], sentencesMax);
  const answers = readLatestAnswered(db, workspaceId, { runsMax: answersMax });
  for await (const runs of answers) {
    await listenAndRefuseIfStopped(signal);
    for (const run of runs) tally.add(run, judge(run, judges.before), judge(run, judges.after));
    onJudged(tally.list().answers);
  }
  return tally.list();
}

function replaceSubject(
  subjects: readonly TrackedSubject[],
  { id, subject }: PlannedSubject,
): TrackedSubject[] {
  const others = subjects.filter((one) => one.id !== id);
  return subject === undefined ? others : [...others, subject];
}

function judge(run: StoredRun, { judgeAnswer, judgePrompt }: Judge): PreviewedRun {
  const { detections } = judgeAnswer(run, parseStoredSources(run.sources), run);
  return {
    detections: detections.map((detection) => toStoredDetection(run.id, detection)),
    isBranded: judgePrompt(run).isBranded,
  };
}
