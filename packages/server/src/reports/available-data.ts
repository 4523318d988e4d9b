import type { ReportSource } from './report-source.ts';

/** The data that a workspace has for reports. */
export interface AvailableData {
  /** UTC days of its first and its last counted run. */
  readonly runs: { readonly from: string; readonly to: string } | undefined;
  readonly hasScores: boolean;
  readonly hasHits: boolean;
}

/** Reads the first and the last day with counted runs, and whether there are scores and hits. */
export async function readAvailableData({ db, workspaceId }: ReportSource): Promise<AvailableData> {
  const ends = await db
    .selectFrom('run_counts')
    .select(({ fn }) => [
      fn.min<string | null>('date').as('from'),
      fn.max<string | null>('date').as('to'),
    ])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const [score, hit] = await Promise.all(
    (['scores', 'hit_days'] as const).map(async (table) =>
      db
        .selectFrom(table)
        .select('date')
        .where('workspace_id', '=', workspaceId)
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  const { from, to } = ends;
  return {
    runs: from === null || to === null ? undefined : { from, to },
    hasScores: score !== undefined,
    hasHits: hit !== undefined,
  };
}
