import type { AnswerRow } from '@overheard/contract';
import { rangeColumns } from '../../values/counted-range.ts';
import { readAnswerPage, selectRuns, spellTag } from '../answers.ts';
import type { AnswerCursor, AnswerQuery } from '../answers.ts';
import { readSubjectRows } from '../subjects.ts';
import type { ReportSource } from '../report-source.ts';

/** The answer to read, its list, and another answer to show beside it. */
export interface AnswerPageQuery {
  readonly runId: string;
  /** The list from which the answer was opened. */
  readonly list: AnswerQuery;
  /** Another run of the same prompt. */
  readonly besideId?: string | undefined;
}

/** An answer for a person to read. */
export type ReadAnswer = NonNullable<Awaited<ReturnType<typeof readOne>>>;

/** The closest answer of another engine to the same prompt. */
export type OtherAnswer = AnswerPageReport['others'][number];

/** An answer with the links to its neighbours. */
export type AnswerPageReport = NonNullable<Awaited<ReturnType<typeof readAnswerReport>>>;

/** Reads the answer of a run, or a neighbour of it; null if the workspace has no such answer. */
export async function readAnswerReport(
  source: ReportSource,
  { runId, list, besideId }: AnswerPageQuery,
) {
  const answer = await readOne(source, runId);
  const beside = besideId === undefined ? null : await readOne(source, besideId);
  if (answer === null || (besideId !== undefined && beside?.prompt_id !== answer.prompt_id)) {
    return null;
  }
  const place = { runAt: answer.run_at, id: runId };
  const spelled = await spellTag(source, list);
  const [brand] = await readSubjectRows(source);
  return {
    answer,
    newer: await readNewer(source, spelled, place),
    older: await readOlder(source, spelled, place),
    others: await readOthers(source, answer),
    beside,
    brandId: brand?.id ?? '',
  };
}

async function readOne(source: ReportSource, runId: string) {
  const { rows } = await readAnswerPage(source, { runId, rowsMax: 1 });
  const [answer] = rows;
  if (answer === undefined) return null;
  const stored = await source.db
    .selectFrom('answers')
    .innerJoin('prompts', (join) =>
      join
        .on('prompts.workspace_id', '=', source.workspaceId)
        .on('prompts.id', '=', answer.prompt_id),
    )
    .select(['language', ...rangeColumns])
    .where('answers.workspace_id', '=', source.workspaceId)
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  /** Whether figures count the run: it is answered, and its prompt does not name the brand. */
  const isCounted = answer.outcome === 'answered' && !answer.branded;
  return { ...answer, ...stored, is_counted: isCounted };
}

async function readOlder(
  source: ReportSource,
  list: AnswerQuery,
  after: AnswerCursor,
): Promise<string | null> {
  const row = await selectRuns(source, { ...list, after })
    .select('runs.id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

async function readNewer(
  source: ReportSource,
  list: AnswerQuery,
  { runAt, id }: AnswerCursor,
): Promise<string | null> {
  const row = await selectRuns(source, { ...list, after: undefined })
    .clearOrderBy()
    .select('runs.id')
    .where('run_at', '>=', runAt)
    .where((or) => or.or([or('run_at', '>', runAt), or('runs.id', '<', id)]))
    .orderBy('run_at')
    .orderBy('runs.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Reads, for each other engine, the answered run of the same prompt that is closest in time. */
async function readOthers(
  { db, workspaceId }: ReportSource,
  { prompt_id: promptId, engine, run_at: at }: AnswerRow,
) {
  const runs = await db
    .selectFrom('runs')
    .select(['engine', 'id as run_id', 'run_at'])
    .where('workspace_id', '=', workspaceId)
    .where('prompt_id', '=', promptId)
    .where('engine', '<>', engine)
    .where('outcome', '=', 'answered')
    .orderBy('engine')
    .orderBy('run_at', 'desc')
    .orderBy('id')
    .execute();
  const distanceMs = ({ run_at: other }: (typeof runs)[number]) =>
    Math.abs(Date.parse(other) - Date.parse(at));
  return [...Map.groupBy(runs, (row) => row.engine).values()].flatMap((ofEngine) =>
    ofEngine.toSorted((left, right) => distanceMs(left) - distanceMs(right)).slice(0, 1),
  );
}
