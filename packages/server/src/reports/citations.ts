import type { Stance } from '@overheard/contract';
import { sql } from 'kysely';
import type { ReportSource } from './report-source.ts';

/** Selects the citations of a subject, or of all of a type, in the run of the outer query. */
export function selectCitations(
  { db, workspaceId }: ReportSource,
  subjectId: string | undefined,
  type: 'brand' | 'competitor' = 'brand',
) {
  return db
    .selectFrom('detections')
    .select('detections.id')
    .where('detections.workspace_id', '=', workspaceId)
    .where('detections.run_id', '=', sql.ref<string>('runs.id'))
    .where('cited', '=', true)
    .$if(subjectId === undefined, (of) => of.where('subject_type', '=', type))
    .$if(subjectId !== undefined, (of) => of.where('subject_id', '=', subjectId ?? ''));
}

/** How an answer presents a subject. Without an id it is the brand. */
export interface Presenting {
  readonly subjectId?: string | undefined;
  readonly stance: Stance;
}

/** Selects the stances, of cited subjects, of the run of the outer query. */
export function selectPresented(
  { db, workspaceId }: ReportSource,
  { subjectId, stance }: Presenting,
) {
  return db
    .selectFrom('stances')
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'stances.run_id')
        .onRef('detections.subject_id', '=', 'stances.subject_id'),
    )
    .select('stances.run_id')
    .where('stances.workspace_id', '=', workspaceId)
    .where('stances.run_id', '=', sql.ref<string>('runs.id'))
    .where('stance', '=', stance)
    .where('cited', '=', true)
    .$if(subjectId === undefined, (of) => of.where('subject_type', '=', 'brand'))
    .$if(subjectId !== undefined, (of) => of.where('stances.subject_id', '=', subjectId ?? ''));
}
