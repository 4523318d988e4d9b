import { pad } from '../storage/chunks.ts';
import { foldCase } from '../values/fold-case.ts';
import { readPromptNames } from './known-names.ts';
import type { PromptName } from './known-names.ts';
import { readSubjectRows } from './subjects.ts';
import type { ReportSource } from './report-source.ts';

/** What a workspace has that contains a text. */
export interface FoundItems {
  readonly competitors: ReadonlyArray<{ readonly id: string; readonly name: string }>;
  readonly prompts: readonly PromptName[];
  readonly answers: ReadonlyArray<{
    readonly id: string;
    readonly engine: string;
    readonly runAt: string;
    /** The text around the place that was found. */
    readonly excerpt: string;
  }>;
}

/** A shorter text is in almost every answer. */
export const findLengthMin = 2;
export const findLengthMax = 100;
/** Most items of each kind. */
const itemsMax = 8;
/** The most recent answers that are searched, so that the size of a workspace does not matter. */
const answersMax = 1000;
const answersOfRead = 100;
const aroundMax = 60;

/** Finds competitors and prompts, and the most recent answers, that contain a text in any case. */
export async function readFound(
  source: ReportSource,
  { text }: { readonly text: string },
): Promise<FoundItems> {
  const folded = foldCase(text.trim());
  const has = (words: string) => foldCase(words).includes(folded);
  const subjects = await readSubjectRows(source);
  const prompts = await readPromptNames(source);
  return {
    competitors: subjects
      .filter(({ type, archived_at: at }) => type === 'competitor' && at === null)
      .filter(({ name, aliases, domains }) => [name, ...aliases, ...domains].some(has))
      .slice(0, itemsMax)
      .map(({ id, name }) => ({ id, name })),
    prompts: [...prompts.values()].filter((prompt) => has(prompt.text)).slice(0, itemsMax),
    answers: await findAnswers(source, folded),
  };
}

async function findAnswers(
  { db, workspaceId }: ReportSource,
  folded: string,
): Promise<FoundItems['answers']> {
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'engine', 'run_at'])
    .where('workspace_id', '=', workspaceId)
    .where('outcome', '=', 'answered')
    .orderBy('run_at', 'desc')
    .orderBy('id')
    .limit(answersMax)
    .execute();
  const found: Array<FoundItems['answers'][number]> = [];
  for (let from = 0; from < runs.length && found.length < itemsMax; from += answersOfRead) {
    const some = runs.slice(from, from + answersOfRead);
    const texts = await db
      .selectFrom('answers')
      .select(['run_id', 'answer'])
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', pad(some.map(({ id }) => id)))
      .execute();
    const textOf = new Map(texts.map(({ run_id: id, answer }) => [id, answer]));
    for (const { id, engine, run_at: runAt } of some) {
      const excerpt = excerptOf(textOf.get(id) ?? '', folded);
      if (excerpt !== undefined) found.push({ id, engine, runAt, excerpt });
    }
  }
  return found.slice(0, itemsMax);
}

/** The text around the first place that contains `folded`; undefined if there is none. */
function excerptOf(answer: string, folded: string): string | undefined {
  const text = answer.normalize('NFKC').replaceAll(/\s+/g, ' ');
  const place = foldCase(text).indexOf(folded);
  if (place === -1) return undefined;
  const from = Math.max(0, place - aroundMax);
  const to = place + folded.length + aroundMax;
  return `${from > 0 ? '\u2026' : ''}${text.slice(from, to).toWellFormed()}${to < text.length ? '\u2026' : ''}`;
}
