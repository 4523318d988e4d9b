import type { Stance } from '@overheard/contract';
import type { ReportSource } from '../report-source.ts';
import { inDrawOrder, readStanceCheck } from './check.ts';
import type { StanceCheck } from './check.ts';
import { readPresentJudge, selectJudged } from './judged.ts';

/** A judged subject of an answer that a person is to label, without what the judge said of it. */
export interface DrawnItem {
  readonly run_id: string;
  readonly subject_id: string;
  /** What a person has said; null if it is not labelled. */
  readonly label: Stance | null;
}

/** What a person has to label to check the present judge. */
export interface StanceDraw {
  /** The engine of the judge. */
  readonly judge: string;
  readonly check: StanceCheck;
  /** In the order in which they are labelled: a hash's, which no stance has a part in. */
  readonly items: readonly DrawnItem[];
}

/**
 * Draws one judged subject of each answer. The order is that of a hash of run and subject, so labels
 * are kept if the judge changes. Undefined before anything is judged.
 */
export async function readStanceDraw(source: ReportSource): Promise<StanceDraw | undefined> {
  const { workspaceId } = source;
  const judge = await readPresentJudge(source);
  if (judge === undefined) return undefined;
  const rows = await selectJudged(source, judge)
    .leftJoin('stance_labels', (join) =>
      join
        .on('stance_labels.workspace_id', '=', workspaceId)
        .onRef('stance_labels.run_id', '=', 'stances.run_id')
        .onRef('stance_labels.subject_id', '=', 'stances.subject_id'),
    )
    .select(['stances.run_id', 'stances.subject_id', 'stance_labels.stance as label'])
    .where('stances.stance', 'is not', null)
    .where('stances.by_rule', '=', false)
    .execute();
  const drawn = new Map<string, DrawnItem>();
  for (const item of inDrawOrder(rows)) {
    const before = drawn.get(item.run_id);
    if (before === undefined) drawn.set(item.run_id, item);
    // Another subject of the answer was labelled when this one was not judged yet.
    else if (before.label === null && item.label !== null) drawn.set(item.run_id, item);
  }
  const check = await readStanceCheck(source, judge);
  return { judge: judge.judge, check, items: [...drawn.values()] };
}

/** The first item without a label, after that of a run if one is given. */
export function nextToLabel(
  items: readonly DrawnItem[],
  after: string | undefined,
): DrawnItem | undefined {
  const from = items.findIndex(({ run_id: run }) => run === after) + 1;
  return items.slice(from).find(({ label }) => label === null);
}
