import { detections, limits, rankSince } from '@overheard/contract';
import type { DetectionRow } from '@overheard/contract';
import { sql } from 'kysely';
import { isAfter } from '../../storage/queries/order-by.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { Place } from '../request/cursor.ts';
import { preparePaged } from '../request/paged-query.ts';
import type { RowsPage } from '../request/paged-query.ts';
import { refuseReversed } from '../request/period.ts';
import { parseQuery } from '../request/query.ts';
import { toWholeRows } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

/**
 * Number of runs in a slice. Reading and serialising a slice blocks the event loop for a few
 * milliseconds.
 */
const sliceRuns = 50;

/** Prepares the detections of one prompt, of the most recent runs of all prompts, or a page of days. */
export function prepareDetections(search: string): PreparedQuery {
  const query = parseQuery(search, detections.query);
  const { prompt_id: promptId, from, to, cursor } = query;
  if (from === undefined && to === undefined && cursor === undefined) {
    return {
      values: query,
      readWhole: async (request) => toWholeRows(await readDetections(request, promptId)),
      slices: (request) => sliceDetections(request, promptId),
    };
  }
  refuseReversed({ from, to });
  return preparePaged({
    endpoint: 'detections',
    values: query,
    pinned: { from, to, prompt_id: promptId },
    cursor,
    read: (request, after) => readPage(request, { promptId, from, to, after }),
  });
}

/** Reads a page of whole runs, and where the next one begins. */
async function readPage(request: ReadRequest, slice: Omit<Slice, 'runsMax'>): Promise<RowsPage> {
  const runsMax = limits.detectionsRunsMax;
  const rows = await readSlice(request, { ...slice, runsMax: runsMax + 1 });
  if (countRuns(rows) <= runsMax) return { rows, next: undefined };
  const beyond = rows.at(-1)?.run_id;
  const page = rows.filter(({ run_id: id }) => id !== beyond);
  return { rows: page, next: placeOf(page.at(-1)) };
}

/**
 * Reads the detections of the most recent runs that have any, of one prompt or of all. Undefined if
 * the prompt has too many runs for one body.
 */
async function readDetections(
  request: ReadRequest,
  promptId: string | undefined,
): Promise<readonly DetectionRow[] | undefined> {
  const runsMax = limits.detectionsRunsMax;
  if (promptId === undefined) return readSlice(request, { runsMax });
  // Check the length first, because a long response is read only when there is a snapshot for it.
  const beyond = selectRuns(request, { promptId }).limit(1).offset(runsMax);
  if ((await beyond.execute()).length > 0) return undefined;
  const rows = await readSlice(request, { promptId, runsMax: runsMax + 1 });
  return countRuns(rows) > runsMax ? undefined : rows;
}

/** The detections of every run of a prompt, in slices. `request` must read from one snapshot of the database. */
async function* sliceDetections(
  request: ReadRequest,
  promptId: string | undefined,
): AsyncGenerator<readonly DetectionRow[]> {
  let after: Place | undefined;
  do {
    const rows = await readSlice(request, { promptId, after, runsMax: sliceRuns });
    yield rows;
    after = countRuns(rows) < sliceRuns ? undefined : placeOf(rows.at(-1));
  } while (after !== undefined);
}

interface Slice {
  readonly promptId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last run of the slice before. */
  readonly after?: Place | undefined;
  readonly runsMax: number;
}

/** Reads a slice in one statement, and so at one moment of the data. */
async function readSlice(request: ReadRequest, slice: Slice): Promise<DetectionRow[]> {
  const rows = await selectSlice(request, slice).execute();
  return rows.map((row) => ({ ...row, cited: Boolean(row.cited) }));
}

/** Selects runs after the cursor `after`, the most recent first. */
function selectRuns(
  { db, workspaceId }: ReadRequest,
  { promptId, from, to, after }: Omit<Slice, 'runsMax'>,
) {
  return db
    .selectFrom('runs')
    .select(['workspace_id', 'id', 'engine', 'run_at'])
    .where('workspace_id', '=', workspaceId)
    .$if(promptId !== undefined, (query) => query.where('prompt_id', '=', promptId ?? null))
    .$if(from !== undefined, (query) => query.where('run_at', '>=', startOfDay(from ?? '')))
    .$if(to !== undefined, (query) => query.where('run_at', '<', endOfDay(to ?? '')))
    .where(({ ref }) => isAfter(ref('run_at'), ref('id'), after))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('detections')
          .select('detections.run_id')
          .where('detections.workspace_id', '=', workspaceId)
          .whereRef('detections.run_id', '=', 'runs.id'),
      ),
    )
    .orderBy('run_at', 'desc')
    .orderBy('id');
}

function selectSlice(request: ReadRequest, { runsMax, ...filters }: Slice) {
  const { db, workspaceId } = request;
  const runs = selectRuns(request, filters).limit(runsMax);
  return db
    .selectFrom(runs.as('run'))
    .innerJoin('detections as detection', (join) =>
      join.on('detection.workspace_id', '=', workspaceId).onRef('detection.run_id', '=', 'run.id'),
    )
    .leftJoin('stances as stance', (join) =>
      join
        .on('stance.workspace_id', '=', workspaceId)
        .onRef('stance.run_id', '=', 'detection.run_id')
        .onRef('stance.subject_id', '=', 'detection.subject_id')
        .on('detection.cited', '=', true),
    )
    .select([
      'detection.run_id',
      'detection.subject_type',
      'detection.subject_id',
      'detection.cited',
    ])
    .select(['detection.position', servedRank.as('rank'), servedSentiment.as('sentiment')])
    .select(['run.engine', 'run.run_at'])
    .orderBy('run.run_at', 'desc')
    .orderBy('run.id')
    .orderBy('detection.subject_type')
    .orderBy(servedRank, (order) => order.asc().nullsLast())
    .orderBy('detection.id');
}

/** Masks the stored ranks of runs from before ranks were reliable. */
const servedRank = sql<
  number | null
>`case when run.run_at >= ${sql.lit(rankSince)} then detection.rank end`;

/** An imported sentiment, or else that which follows from how the answer presents the subject. */
const servedSentiment = sql<
  DetectionRow['sentiment']
>`coalesce(detection.sentiment, stance.sentiment)`;

function placeOf(row: DetectionRow | undefined): Place | undefined {
  return row && { runAt: row.run_at, id: row.run_id };
}

/** Counts runs. The rows of a run are neighbours. */
function countRuns(rows: readonly DetectionRow[]): number {
  return rows.filter(({ run_id }, index) => run_id !== rows[index - 1]?.run_id).length;
}
