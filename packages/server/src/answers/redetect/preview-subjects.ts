import type { Kysely } from 'kysely';
import { listenAndRefuseIfStopped } from '../../rows/stop.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseStoredSources } from '../../storage/queries/stored-sources.ts';
import type { StoredRun } from '../judged-run.ts';
import { createPreviewTally } from './preview-tally.ts';
import type { PreviewedRun, SubjectPreview } from './preview-tally.ts';
import { readLatestAnswered } from '../read-stored-runs.ts';
import { toStoredDetection } from '../stored-detections.ts';
import { createJudge, readSubjects } from '../subjects.ts';
import type { Judge, TrackedSubject } from '../subjects.ts';

/** A change of one subject: added where its id is new, undefined if it is to be removed. */
export interface PlannedSubject {
  readonly id: string;
  readonly subject: TrackedSubject | undefined;
}

export interface PreviewOptions {
  readonly change: PlannedSubject;
  /** Answers to judge, the most recent ones. */
  readonly answersMax?: number;
  /** Sentences to return of those that come, and of those that go. */
  readonly sentencesMax?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onJudged?: (answers: number) => void;
}

/** How many answers a preview judges, and how many sentences it shows, unless it is asked for others. */
export const previewed = { answersMax: 500, sentencesMax: 10 } as const;

/**
 * Judges the latest answers by the subjects as they are and as they would be, and says who would
 * become cited and who would no longer be. Reads only. Throws a `Refusal` if a pattern cannot
 * be used or a person has stopped it.
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
  const after = changed(before, change);
  const judges = { before: createJudge(before), after: createJudge(after) };
  const tally = createPreviewTally([...before, ...after], sentencesMax);
  const answers = readLatestAnswered(db, workspaceId, { runsMax: answersMax });
  for await (const runs of answers) {
    await listenAndRefuseIfStopped(signal);
    for (const run of runs) tally.add(run, judge(run, judges.before), judge(run, judges.after));
    onJudged(tally.list().answers);
  }
  return tally.list();
}

function changed(
  subjects: readonly TrackedSubject[],
  { id, subject }: PlannedSubject,
): TrackedSubject[] {
  const others = subjects.filter((one) => one.id !== id);
  return subject === undefined ? others : [...others, subject];
}

function judge(run: StoredRun, { judgeAnswer, judgePrompt }: Judge): PreviewedRun {
  const { detections } = judgeAnswer(run.answer, parseStoredSources(run.sources), run);
  return {
    detections: detections.map((detection) => toStoredDetection(run.id, detection)),
    isBranded: judgePrompt(run).isBranded,
  };
}
