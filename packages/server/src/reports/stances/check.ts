import { createHash } from 'node:crypto';
import { compareCodePoints } from '../../values/code-points.ts';
import { cohensKappa } from '../../values/statistics/kappa.ts';
import { roundFigure } from '../../values/statistics/estimate.ts';
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
  const { workspaceId } = source;
  const judged = selectJudged(source, judge).where('stances.stance', 'is not', null);
  const labelled = await judged
    .innerJoin('stance_labels', (join) =>
      join
        .on('stance_labels.workspace_id', '=', workspaceId)
        .onRef('stance_labels.run_id', '=', 'stances.run_id')
        .onRef('stance_labels.subject_id', '=', 'stances.subject_id'),
    )
    .select(['stances.run_id', 'stances.subject_id', 'stances.stance'])
    .select('stance_labels.stance as label')
    .execute();
  // One subject of each answer, because those of one answer are alike.
  const ofRuns = Map.groupBy(inDrawOrder(labelled), ({ run_id: run }) => run);
  const drawn = [...ofRuns.values()].flatMap(([first]) => first ?? []);
  const some = judged.select('runs.id').distinct().limit(labelsWanted);
  const needed = Math.max(labelsMin, (await some.execute()).length);
  const agreement = cohensKappa(drawn.map(({ stance, label }) => [stance ?? '', label]));
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
  return rows
    .map((row) => ({ row, hash: hashOf(row) }))
    .toSorted((one, other) => compareCodePoints(one.hash, other.hash))
    .map(({ row }) => row);
}
