import { startOfDay } from '../values/time/utc-day.ts';
import type { ReportSource } from './report-source.ts';

/** The number of new things since a UTC day, which is included. */
export type News = Awaited<ReturnType<typeof readNews>>;

/** Counts the new things since a person's last visit. */
export async function readNews(
  { db, workspaceId }: ReportSource,
  { since }: { readonly since: string },
) {
  const from = startOfDay(since);
  const [runs, hits, foundActions, done] = await Promise.all([
    db
      .selectFrom('runs')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .where('outcome', '=', 'answered')
      .where('run_at', '>=', from)
      .executeTakeFirst(),
    db
      .selectFrom('hit_days')
      .select(({ fn }) => [
        fn.sum<number | string | null>('verified').as('verified'),
        fn.sum<number | string | null>('spoofed').as('spoofed'),
        fn.sum<number | string | null>('unverified').as('unverified'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('date', '>=', since)
      .executeTakeFirst(),
    db
      .selectFrom('actions')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .where('created_at', '>=', from)
      .executeTakeFirst(),
    db
      .selectFrom('action_changes')
      .select(({ fn }) => fn.count<number | string>('action_id').distinct().as('count'))
      .where('workspace_id', '=', workspaceId)
      .where('status', '=', 'done')
      .where('changed_at', '>=', from)
      .executeTakeFirst(),
  ]);
  const requests = [hits?.verified, hits?.spoofed, hits?.unverified];
  return {
    since,
    answers: Number(runs?.count ?? 0),
    requests: requests.reduce<number>((sum, count) => sum + Number(count ?? 0), 0),
    gapsFound: Number(foundActions?.count ?? 0),
    gapsDone: Number(done?.count ?? 0),
  };
}
