import type { ReportSource } from './report-source.ts';

/** The data that a workspace has for reports. */
export type AvailableData = Awaited<ReturnType<typeof readAvailableData>>;

/** Reads the first and the last day with counted runs, and whether there are scores and hits. */
export async function readAvailableData({ db, workspaceId }: ReportSource) {
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
    /** UTC days of its first and its last counted run. */
    runs: from === null || to === null ? undefined : { from, to },
    hasScores: score !== undefined,
    hasHits: hit !== undefined,
  };
}
