import { isInMarket } from '../storage/prompt-tags.ts';
import type { ReportSource } from './report-source.ts';

/** How many gaps of a workspace are open. */
export async function countOpenGaps({ db, workspaceId }: ReportSource): Promise<number> {
  const { count } = await db
    .selectFrom('actions')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'open')
    .where(isInMarket(workspaceId))
    .executeTakeFirstOrThrow();
  return Number(count);
}
