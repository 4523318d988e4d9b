import type { PublishedRow } from '@overheard/contract';
import { sql } from 'kysely';
import { promptsWithTag, readTagsByPrompt } from '../../storage/prompt-tags.ts';
import { compareCodePoints } from '../../values/code-points.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { ReportQuery } from '../period-report.ts';
import type { ReportSource } from '../report-source.ts';

/** Counted runs of one engine and import that one method judged for one set of subjects. */
export type RunsOfImport = NonNullable<PublishedRow['counted']>[number];

/**
 * Counts the answers of a period by what decides them: engine, import, method and subjects. Without
 * the `tag`, `stored` is the same; `runs` are those that the report counts.
 */
export async function countRunsByImport(
  { db, workspaceId }: ReportSource,
  { from, to, tag }: ReportQuery,
): Promise<RunsOfImport[]> {
  const isTagged =
    tag === undefined
      ? sql`true`
      : sql`prompt_id in (${sql.join(['', ...promptsWithTag(await readTagsByPrompt(db, workspaceId), tag)])})`;
  const rows = await db
    .selectFrom('runs')
    .where('workspace_id', '=', workspaceId)
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .where('outcome', '=', 'answered')
    .select(['engine', 'import_id', 'method', 'judged_by'])
    .select(({ fn }) => [
      fn.countAll<number>().as('stored'),
      sql<number>`cast(sum(case when branded = false and ${isTagged} then 1 else 0 end) as integer)`.as(
        'runs',
      ),
    ])
    .groupBy(['engine', 'import_id', 'method', 'judged_by'])
    .execute();
  return rows.toSorted((one, other) => compareCodePoints(keyOf(one), keyOf(other)));
}

function keyOf(row: RunsOfImport): string {
  return JSON.stringify([row.engine, row.import_id, row.method, row.judged_by]);
}
