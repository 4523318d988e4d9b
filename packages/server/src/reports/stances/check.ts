import { createHash } from 'node:crypto';
import { cohensKappa } from '../../values/statistics/kappa.ts';
import { roundFigure } from '../../values/statistics/estimate.ts';
import { inChunks, pad } from '../../storage/chunks.ts';
import { selectRuns } from '../answers.ts';
import type { ReportSource } from '../report-source.ts';
import { selectJudged } from './judged.ts';
import type { PresentJudge } from './judged.ts';

/** How far the present judge and a person agree. */
export interface StanceCheck {
  /** Null without labels, or if all labels and stances are the same. */
  readonly kappa: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Answers that a person has labelled. */
  readonly labels: number;
  /** Answers that a person has to label before figures are shown. */
  readonly needed: number;
  /** Whether figures are shown. */
  readonly isTrusted: boolean;
}

/** Answers that a person labels to check a judge, or all of them if they are fewer, but not under the least. */
export const labelsWanted = 100;
const labelsMin = 10;
/** Under this agreement only quotes are shown: "substantial" in Landis and Koch (Biometrics 33, 1977). */
export const kappaMin = 0.6;

/** Compares the labels of a person with the stances of the present judge. */
export async function readStanceCheck(
  source: ReportSource,
  judge: PresentJudge,
): Promise<StanceCheck> {
  // One subject of each answer, because those of one answer are alike.
  const labelled = inDrawOrder(await readLabelled(source, judge));
  const drawn = [...new Map(labelled.toReversed().map((row) => [row.run_id, row])).values()];
  const count = drawn.length < labelsWanted ? await countToLabel(source, judge) : labelsWanted;
  const needed = Math.max(labelsMin, count);
  const agreement = cohensKappa(drawn.map(({ stance, label }) => [stance, label]));
  const [labels, kappa] = [drawn.length, agreement?.kappa ?? null];
  return {
    kappa: kappa === null ? null : roundFigure(kappa),
    low: agreement === undefined ? null : roundFigure(agreement.low),
    high: agreement === undefined ? null : roundFigure(agreement.high),
    labels,
    needed,
    isTrusted: labels >= needed && kappa !== null && kappa >= kappaMin,
  };
}

/** Puts rows into the order in which a person labels them: that of a hash, which no stance has a part in. */
export function inDrawOrder<Row extends { run_id: string; subject_id: string }>(
  rows: readonly Row[],
): Row[] {
  const hashOf = ({ run_id: run, subject_id: subject }: Row) =>
    createHash('sha256').update(`${run} ${subject}`).digest('hex');
  return (
    rows
      .map((row) => ({ row, hash: hashOf(row) }))
      // Hexadecimal digits compare by code points anyway.
      .toSorted((one, other) => (one.hash < other.hash ? -1 : 1))
      .map(({ row }) => row)
  );
}

const runsAtOnce = 256;

/** The stance and the label of each subject that a person has labelled. */
async function readLabelled(source: ReportSource, judge: PresentJudge) {
  const labels = await source.db
    .selectFrom('stance_labels')
    .select(['run_id', 'subject_id', 'stance as label'])
    .where('workspace_id', '=', source.workspaceId)
    .execute();
  const labelOf = new Map(labels.map((row) => [`${row.run_id} ${row.subject_id}`, row.label]));
  const read: Array<Record<'run_id' | 'subject_id' | 'stance' | 'label', string>> = [];
  // Labels are few, so begin with them.
  for (const ids of inChunks([...new Set(labels.map(({ run_id: run }) => run))], runsAtOnce)) {
    const rows = await selectJudged(source, judge)
      .select(['stances.run_id', 'stances.subject_id', 'stances.stance'])
      .where('runs.id', 'in', pad(ids))
      // Rules are not the judge.
      .where('stances.by_rule', '=', false)
      .execute();
    for (const { run_id, subject_id, stance } of rows) {
      const label = labelOf.get(`${run_id} ${subject_id}`);
      if (label !== undefined && stance !== null) read.push({ run_id, subject_id, stance, label });
    }
  }
  return read;
}

/** How many answers can be labelled, up to those that are wanted. */
async function countToLabel(source: ReportSource, judge: PresentJudge): Promise<number> {
  const { workspaceId } = source;
  const runs = await selectRuns(source, { outcome: 'answered', rowsMax: labelsWanted })
    .select('runs.id')
    .where('branded', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('stances')
          .innerJoin('detections', (join) =>
            join
              .on('detections.workspace_id', '=', workspaceId)
              .onRef('detections.run_id', '=', 'stances.run_id')
              .onRef('detections.subject_id', '=', 'stances.subject_id')
              .on('detections.cited', '=', true),
          )
          .select('stances.run_id')
          .where('stances.workspace_id', '=', workspaceId)
          .whereRef('stances.run_id', '=', 'runs.id')
          .where('stances.by_rule', '=', false)
          .where('stances.judge', '=', judge.judge)
          .where('stances.version', '=', judge.version)
          .where('stances.stance', 'is not', null),
      ),
    )
    .limit(labelsWanted)
    .execute();
  return runs.length;
}
