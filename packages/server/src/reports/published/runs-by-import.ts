import type { PublishedRow } from '@overheard/contract';
import { promptsWithTag, readTagsByPrompt } from '../../storage/prompt-tags.ts';
import { compareCodePoints } from '../../values/code-points.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { ReportQuery } from '../period-report.ts';
import type { ReportSource } from '../report-source.ts';

/** Counted runs of one engine and import that one method judged for one set of subjects. */
export type RunsOfImport = NonNullable<PublishedRow['counted']>[number];

/** The same of one prompt. */
export type RunsOfPrompt = RunsOfImport & { readonly prompt_id: string };

/**
 * Counts the answers of a period by what decides them: engine, import, method, subjects and prompt.
 * `stored` are all, whatever the tag; `runs` are those that the report counts.
 */
export async function countRunsByPrompt(
  { db, workspaceId }: ReportSource,
  { from, to, tag }: ReportQuery,
): Promise<RunsOfPrompt[]> {
  const tagged =
    tag === undefined ? undefined : promptsWithTag(await readTagsByPrompt(db, workspaceId), tag);
  const rows = await db
    .selectFrom('runs')
    .where('workspace_id', '=', workspaceId)
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .where('outcome', '=', 'answered')
    .select(['engine', 'import_id', 'method', 'judged_by', 'prompt_id', 'branded'])
    .select(({ fn }) => fn.countAll<number>().as('stored'))
    .groupBy(['engine', 'import_id', 'method', 'judged_by', 'prompt_id', 'branded'])
    .execute();
  return rows.map(({ branded, prompt_id, ...row }) => {
    const id = prompt_id ?? '';
    const isCounted = branded !== null && !branded && tagged?.has(id) !== false;
    return { ...row, prompt_id: id, runs: isCounted ? row.stored : 0 };
  });
}

/** Adds up the runs of prompts. */
export function addUpPrompts(rows: readonly RunsOfPrompt[]): RunsOfImport[] {
  const keyOf = (row: RunsOfImport) =>
    JSON.stringify([row.engine, row.import_id, row.method, row.judged_by]);
  const groups = new Map<string, RunsOfImport>();
  for (const { prompt_id: _, ...row } of rows) {
    const { stored, runs } = groups.get(keyOf(row)) ?? { stored: 0, runs: 0 };
    groups.set(keyOf(row), { ...row, stored: stored + row.stored, runs: runs + row.runs });
  }
  return [...groups]
    .toSorted(([one], [other]) => compareCodePoints(one, other))
    .map(([, row]) => row);
}

/** The prompts whose runs count, and those whose runs do not. */
export function splitPrompts(rows: readonly RunsOfPrompt[]): {
  counted: string[];
  uncounted: string[];
} {
  const ids = (own: readonly RunsOfPrompt[]) =>
    [...new Set(own.map(({ prompt_id: id }) => id))].toSorted(compareCodePoints);
  const counted = ids(rows.filter(({ runs }) => runs > 0));
  const isCounted = new Set(counted);
  return { counted, uncounted: ids(rows.filter(({ prompt_id: id }) => !isCounted.has(id))) };
}
