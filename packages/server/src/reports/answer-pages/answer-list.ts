import type { AnswerRow } from '@overheard/contract';
import { pad } from '../../storage/chunks.ts';
import { selectRuns, spellTag } from '../answers.ts';
import type { AnswerCursor, AnswerQuery } from '../answers.ts';
import { readSubjectRows } from '../subjects.ts';
import type { ReportSource } from '../report-source.ts';

/** An answer in a list, without its text. */
export interface ListedAnswer extends Pick<
  AnswerRow,
  'run_id' | 'prompt_id' | 'prompt' | 'engine' | 'model' | 'locale' | 'run_at' | 'outcome'
> {
  readonly branded: boolean;
  /** The language of its prompt. */
  readonly language: string;
  /** The cited subjects, by rank. */
  readonly cited: ReadonlyArray<{ readonly name: string; readonly isBrand: boolean }>;
}

/** A page of the list, and the beginning of the next page if there is one. */
export interface AnswerList {
  readonly rows: readonly ListedAnswer[];
  readonly next: AnswerCursor | null;
}

/** Reads a page of answers without their texts, the most recent first. */
export async function readAnswerList(
  source: ReportSource,
  wanted: AnswerQuery,
): Promise<AnswerList> {
  const query = await spellTag(source, wanted);
  const runs = await selectRuns(source, query)
    .select(['runs.id as run_id', 'runs.prompt_id', 'asked', 'engine', 'model', 'run_at'])
    .select(['outcome', 'branded', 'prompts.locale', 'prompts.language'])
    .limit(query.rowsMax + 1)
    .execute();
  const page = runs.slice(0, query.rowsMax);
  const last = runs.length > page.length ? page.at(-1) : undefined;
  const citedIn = await readCited(
    source,
    page.map((row) => row.run_id),
  );
  return {
    rows: page.map(({ asked, prompt_id: promptId, outcome, branded, ...row }) => ({
      ...row,
      prompt_id: promptId ?? '',
      prompt: asked,
      outcome: outcome ?? 'answered',
      branded: Boolean(branded),
      cited: citedIn.get(row.run_id) ?? [],
    })),
    next: last === undefined ? null : { runAt: last.run_at, id: last.run_id },
  };
}

async function readCited(
  source: ReportSource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ListedAnswer['cited']>> {
  if (ids.length === 0) return new Map();
  const names = new Map((await readSubjectRows(source)).map(({ id, name }) => [id, name]));
  const rows = await source.db
    .selectFrom('detections')
    .select(['run_id', 'subject_id', 'subject_type'])
    .where('workspace_id', '=', source.workspaceId)
    .where('run_id', 'in', pad(ids))
    .where('cited', '=', true)
    .orderBy('rank')
    .orderBy('id')
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.run_id)].map(([id, cited]) => [
      id,
      cited.map(({ subject_id: subject, subject_type: type }) => ({
        name: names.get(subject ?? '') ?? '',
        isBrand: type === 'brand',
      })),
    ]),
  );
}
