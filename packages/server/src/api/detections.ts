import { limits, rankSince } from '@overheard/contract';
import type { DetectionRow } from '@overheard/contract';
import { sql } from 'kysely';
import type { Reading } from './endpoint.ts';

/** The last run of a slice: the next slice begins behind it. */
export interface Cursor {
  readonly run_at: string;
  readonly run_id: string;
}

/** The detections of at most as many runs as the endpoint covers without a prompt. */
export interface DetectionSlice {
  readonly rows: DetectionRow[];
  /** Undefined where no run is left. */
  readonly next: Cursor | undefined;
}

/**
 * The detections of the most recent runs that have any, of one prompt or of all, from `after` on:
 * one statement, and so one moment of the data.
 */
export async function readDetections(
  reading: Reading,
  {
    promptId,
    after,
    runsMax = limits.detectionsRunsMax,
  }: { promptId?: string | undefined; after?: Cursor | undefined; runsMax?: number },
): Promise<DetectionSlice> {
  const rows = await selectSlice(reading, { promptId, after, runsMax }).execute();
  return {
    rows: rows.map((row) => ({ ...row, cited: Boolean(row.cited) })),
    next: nextCursor(rows, runsMax),
  };
}

function selectSlice(
  { db, workspaceId }: Reading,
  {
    promptId,
    after,
    runsMax,
  }: { promptId: string | undefined; after: Cursor | undefined; runsMax: number },
) {
  const runs = db
    .selectFrom('runs')
    .select(['workspace_id', 'id', 'engine', 'run_at'])
    .where('workspace_id', '=', workspaceId)
    .$if(promptId !== undefined, (query) => query.where('prompt_id', '=', promptId ?? null))
    .$if(after !== undefined, (query) =>
      // Both bounds, the first one loose, so that either database walks its index from there.
      query
        .where('run_at', '<=', after?.run_at ?? '')
        .where((is) =>
          is.or([is('run_at', '<', after?.run_at ?? ''), is('id', '>', after?.run_id ?? '')]),
        ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('detections')
          .select('detections.run_id')
          .where('detections.workspace_id', '=', workspaceId)
          .whereRef('detections.run_id', '=', 'runs.id'),
      ),
    )
    .orderBy('run_at', 'desc')
    .orderBy('id')
    .limit(runsMax);

  return db
    .selectFrom(runs.as('run'))
    .innerJoin('detections as detection', (join) =>
      join.on('detection.workspace_id', '=', workspaceId).onRef('detection.run_id', '=', 'run.id'),
    )
    .select([
      'detection.run_id',
      'detection.subject_type',
      'detection.subject_id',
      'detection.cited',
      'detection.position',
      servedRank.as('rank'),
      'detection.sentiment',
      'run.engine',
      'run.run_at',
    ])
    .orderBy('run.run_at', 'desc')
    .orderBy('run.id')
    .orderBy('detection.subject_type')
    .orderBy(servedRank, (order) => order.asc().nullsLast())
    .orderBy('detection.id');
}

/** Ranks of runs before they were recorded in earnest are stored, and masked here. */
const servedRank = sql<
  number | null
>`case when run.run_at >= ${sql.lit(rankSince)} then detection.rank end`;

function nextCursor(
  rows: ReadonlyArray<Pick<DetectionRow, 'run_id' | 'run_at'>>,
  runsMax: number,
): Cursor | undefined {
  let runs = 0;
  let last: string | undefined;
  for (const { run_id } of rows) {
    if (run_id !== last) runs += 1;
    last = run_id;
  }
  const final = rows.at(-1);
  return runs < runsMax || final === undefined
    ? undefined
    : { run_at: final.run_at, run_id: final.run_id };
}
