import type { ReportSource } from '../report-source.ts';
import { selectRuns } from '../answers.ts';
import type { AnswerQuery } from '../answers.ts';

/** The judge whose stances count. */
export interface PresentJudge {
  /** Its engine. */
  readonly judge: string;
  /** The version of the question to it. */
  readonly version: number;
}

/** Reads the present judge: that of the stance that was judged last. Undefined before any. */
export async function readPresentJudge({
  db,
  workspaceId,
}: ReportSource): Promise<PresentJudge | undefined> {
  return db
    .selectFrom('stances')
    .select(['judge', 'version'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('judged_at', 'desc')
    .orderBy('run_id')
    .limit(1)
    .executeTakeFirst();
}

/** The counted runs to select stances of. */
export type StanceFilter = Pick<
  AnswerQuery,
  | 'from'
  | 'to'
  | 'engine'
  | 'surface'
  | 'locale'
  | 'promptId'
  | 'tag'
  | 'searched'
  | 'excludesCompetitorPrompts'
>;

/**
 * Selects the stances of the present judge in counted runs, of subjects that these runs still cite. A
 * tag must be spelled as the workspace spells it.
 */
export function selectJudged(
  source: ReportSource,
  { judge, version }: PresentJudge,
  filter: StanceFilter = {},
) {
  const { workspaceId } = source;
  return selectRuns(source, { ...filter, outcome: 'answered', rowsMax: Infinity })
    .clearOrderBy()
    .innerJoin('stances', (join) =>
      join.on('stances.workspace_id', '=', workspaceId).onRef('stances.run_id', '=', 'runs.id'),
    )
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id')
        .onRef('detections.subject_id', '=', 'stances.subject_id'),
    )
    .where('branded', '=', false)
    .where('detections.cited', '=', true)
    .where('stances.judge', '=', judge)
    .where('stances.version', '=', version);
}
