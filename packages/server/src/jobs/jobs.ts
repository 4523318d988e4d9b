import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { sampleSchema } from '../answers/import/read-sample.ts';
import { refusals } from '../refusals.ts';
import type { Refusal, RefusalCode } from '../refusals.ts';
import { isDuplicate } from '../storage/duplicate.ts';
import type { AccessTables } from '../storage/schema.ts';
import type { JobState } from '../storage/tables/job-tables.ts';
import { storeMoment } from '../storage/store.ts';
import type { Store } from '../storage/store.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { isRepeatable, workSchema } from './work.ts';
import type { Work } from './work.ts';

/** How long ended jobs are listed. */
const keepMs = 90 * dayMs;
const attemptsMax = 3;
/** An owner counts as dead if its last heartbeat is older than this. */
const goneSeconds = 30;
export const activeStates = ['waiting', 'running'] as const satisfies readonly JobState[];

/** The store of jobs. Claims and ages use the database's own clock. */
type JobStore = Pick<Store, 'access' | 'dialect'>;

/** The key of a job. */
export interface JobKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** A stored refusal, whose words are chosen when it is shown. */
export type StoredRefusal = Pick<Refusal, 'code' | 'facts'>;

const storedRefusal = z.custom<StoredRefusal>(
  (value) =>
    z.object({ code: z.custom<RefusalCode>(isCode), facts: z.object({}) }).safeParse(value).success,
);

const outcomeSchema = z.union([
  z.object({ result: z.record(z.string(), z.union([z.number(), z.array(z.string())])) }),
  /** With a sample the server still has the file: see `retryJob`. */
  z.object({ refusal: storedRefusal, sample: sampleSchema.optional() }),
  z.object({ failure: z.enum(['lost', 'unexpected']) }),
]);

/** The result of a job, or why there is none. */
export type JobOutcome = z.infer<typeof outcomeSchema>;

const progressSchema = z.object({
  step: z.enum(['reading', 'writing', 'judging']),
  count: z.number(),
  total: z.number().optional(),
});

/** The progress of a job: `count` of rows or answers. */
export type JobProgress = z.infer<typeof progressSchema>;

/** A job with everything that pages show. */
export interface Job extends JobKey {
  readonly state: JobState;
  readonly work: Work;
  readonly progress: JobProgress | undefined;
  readonly outcome: JobOutcome | undefined;
  readonly userId: string | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

export interface NewJob extends JobKey {
  readonly work: Work;
  /** The only process that can do the job; null for any. */
  readonly owner: string | null;
  /** Null if no person asked for it. */
  readonly userId: string | null;
  readonly clock: () => number;
}

/**
 * Adds a job. Returns `known` if the same form has added it before, and `busy` if the workspace has
 * an unfinished job of this kind.
 */
export async function addJob(
  store: JobStore,
  { workspaceId, id, work, owner, userId, clock }: NewJob,
): Promise<'added' | 'known' | 'busy'> {
  const now = clock();
  const at = new Date(now).toISOString();
  await store.access
    .deleteFrom('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<', new Date(now - keepMs).toISOString())
    .where('state', 'in', ['done', 'failed'])
    .execute();
  const row = { workspace_id: workspaceId, id, kind: work.kind, state: 'waiting' as const, owner };
  const defaults = { user_id: userId, created_at: at, beat_at: storeMoment(store), attempts: 0 };
  try {
    await store.access
      .insertInto('jobs')
      .values({ ...row, ...defaults, work: JSON.stringify(work) })
      .execute();
    return 'added';
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return (await findJob(store.access, { workspaceId, id })) === undefined ? 'busy' : 'known';
  }
}

/**
 * Puts a failed job back in the queue with other work, for the same owner, who still has its file.
 * Returns `known` if it does not wait for that, and `busy` if the workspace has an unfinished job of
 * this kind.
 */
export async function retryJob(
  store: JobStore,
  { workspaceId, id, work }: JobKey & { work: Work },
): Promise<'added' | 'known' | 'busy'> {
  try {
    const { numUpdatedRows } = await store.access
      .updateTable('jobs')
      .set({
        state: 'waiting',
        work: JSON.stringify(work),
        outcome: null,
        ended_at: null,
        beat_at: storeMoment(store),
      })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('kind', '=', work.kind)
      .where('state', '=', 'failed')
      .where('outcome', 'like', '%"sample":%')
      .executeTakeFirst();
    return numUpdatedRows === 0n ? 'known' : 'added';
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return 'busy';
  }
}

/** One job of a workspace. */
export async function findJob(
  db: Kysely<AccessTables>,
  { workspaceId, id }: JobKey,
): Promise<Job | undefined> {
  const row = await db
    .selectFrom('jobs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toJob(row);
}

/** The latest jobs of a kind, the newest first. */
export async function listJobs(
  db: Kysely<AccessTables>,
  { workspaceId, kind, limit }: { workspaceId: string; kind: Work['kind']; limit: number },
): Promise<Job[]> {
  const rows = await db
    .selectFrom('jobs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => toJob(row) ?? []);
}

/** Takes a waiting job for a process; undefined if another process has it. */
export async function claimJob(
  store: JobStore,
  { workspaceId, id }: JobKey,
  owner: string,
): Promise<Job | undefined> {
  const { numUpdatedRows } = await store.access
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'running',
      owner,
      beat_at: storeMoment(store),
      attempts: eb('attempts', '+', 1),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows === 0n ? undefined : findJob(store.access, { workspaceId, id });
}

/**
 * Stores a heartbeat of the owner, and the progress of the job. Returns false if the job is no
 * longer the owner's.
 */
export async function beat(
  store: JobStore,
  key: JobKey,
  { owner, progress }: { owner: string; progress?: JobProgress | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await updateOwn(store.access, { ...key, owner })
    .set({
      beat_at: storeMoment(store),
      ...(progress !== undefined && { progress: JSON.stringify(progress) }),
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a job if `owner` still has it: another process may have taken it over. */
export async function endJob(
  db: Kysely<AccessTables>,
  key: JobKey,
  { owner, clock, outcome }: { owner: string; clock: () => number; outcome: JobOutcome },
): Promise<void> {
  await updateOwn(db, { ...key, owner })
    .set({
      state: 'result' in outcome ? 'done' : 'failed',
      ended_at: new Date(clock()).toISOString(),
      outcome: JSON.stringify(outcome),
      progress: null,
    })
    .execute();
}

/**
 * Puts a job whose owner died back in the queue if it can be repeated. Otherwise ends it as lost.
 */
export async function recoverJob(
  store: JobStore,
  { workspaceId, id, owner }: JobKey & { owner: string },
  { clock }: { clock: () => number },
): Promise<void> {
  const row = await store.access
    .selectFrom('jobs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  const job = row && toJob(row);
  if (job === undefined || !isRepeatable(job.work) || (row?.attempts ?? 0) >= attemptsMax) {
    return endJob(
      store.access,
      { workspaceId, id },
      { owner, clock, outcome: { failure: 'lost' } },
    );
  }
  await updateOwn(store.access, { workspaceId, id, owner })
    .set({ state: 'waiting', owner: null, beat_at: storeMoment(store) })
    .execute();
}

/** Updates a job if it is unfinished and belongs to `owner`. */
function updateOwn(
  db: Kysely<AccessTables>,
  { workspaceId, id, owner }: JobKey & { readonly owner: string },
) {
  return db
    .updateTable('jobs')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', 'in', activeStates);
}

/**
 * Lists the unfinished jobs of all workspaces, the oldest first, and whether their owners are dead.
 */
export async function listActive(store: JobStore) {
  const goneAt = storeMoment(store, { secondsAgo: goneSeconds });
  return store.access
    .selectFrom('jobs')
    .select(['workspace_id', 'id', 'kind', 'state', 'owner', 'attempts'])
    .select(({ eb }) => eb('beat_at', '<', goneAt).as('is_silent'))
    .where('state', 'in', activeStates)
    .orderBy('id')
    .execute();
}

/** Reads a job. Undefined if a newer version has added it. */
function toJob(row: Selectable<AccessTables['jobs']>): Job | undefined {
  const work = workSchema.safeParse(JSON.parse(row.work)).data;
  if (work === undefined) return undefined;
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    state: row.state,
    work,
    progress: progressSchema.safeParse(JSON.parse(row.progress ?? 'null')).data,
    outcome: outcomeSchema.safeParse(JSON.parse(row.outcome ?? 'null')).data,
    userId: row.user_id,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}

function isCode(code: unknown): boolean {
  return typeof code === 'string' && Object.hasOwn(refusals, code);
}
