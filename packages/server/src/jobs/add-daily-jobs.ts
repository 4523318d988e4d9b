import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../storage/store.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { contentId, newId } from '../values/uuid.ts';
import type { JobRunner } from './job-runner.ts';

const everyMs = 60_000;

/**
 * Adds the jobs of each UTC day, until the signal aborts: one that finds gaps for each workspace, and
 * one more for each in `collected`, which has new answers; and one that judges answers for each
 * workspace that has that switched on.
 */
export async function addDailyJobs(
  store: Pick<Store, 'reader' | 'mapFailure'>,
  {
    runner,
    collected,
    judgedDaily,
    clock,
    signal,
    onFailure,
    waitMs = everyMs,
  }: {
    runner: Pick<JobRunner, 'add'>;
    collected: Set<string>;
    /** The workspaces whose answers are to be judged now; none while a judge is at work. */
    judgedDaily: () => Promise<ReadonlySet<string>>;
    clock: () => number;
    signal: AbortSignal;
    onFailure: (error: unknown) => void;
    waitMs?: number;
  },
): Promise<void> {
  const days = new Map<string, string>();
  const judgedDays = new Map<string, string>();
  const wait = () => sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
  await wait();
  while (!signal.aborted) {
    try {
      const workspaces = await store.reader
        .selectFrom('workspaces')
        .select('id')
        .where('archived_at', 'is', null)
        .execute();
      for (const { id } of workspaces) await look(id);
      await judgeNext(workspaces.map(({ id }) => id));
    } catch (error) {
      onFailure(store.mapFailure(error));
    }
    await wait();
  }

  async function look(workspaceId: string): Promise<void> {
    const day = utcDay(clock());
    const isDaily = days.get(workspaceId) !== day;
    if (!isDaily && !collected.has(workspaceId)) return;
    // Several servers make the same id, so only one of them adds the job of a day.
    const id = isDaily ? contentId('gaps', [workspaceId, day]) : newId(clock);
    const addition = await runner.add({ workspaceId, id, work: { kind: 'gaps' }, userId: null });
    // Try again later, because the running job may have read the answers before the new ones came.
    if (addition === 'busy') return;
    days.set(workspaceId, day);
    if (addition === 'added') collected.delete(workspaceId);
  }

  /** Adds one job at a time, so that judging does not take every thread from people's jobs. */
  async function judgeNext(workspaceIds: readonly string[]): Promise<void> {
    const day = utcDay(clock());
    const judged = await judgedDaily();
    for (const workspaceId of workspaceIds) {
      if (!judged.has(workspaceId) || judgedDays.get(workspaceId) === day) continue;
      const id = contentId('judge daily', [workspaceId, day]);
      const job = { workspaceId, id, work: { kind: 'judge' }, userId: null } as const;
      const addition = await runner.add(job);
      if (addition !== 'busy') judgedDays.set(workspaceId, day);
      if (addition === 'added') return;
    }
  }
}
