import type { AnswerRow } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { rangeColumns } from '../../values/counted-range.ts';
import { guessLanguage } from '../detection/language/guess-language.ts';
import { createMentionLister } from '../detection/list-mentions.ts';
import { readSubjects } from '../subjects.ts';

/** A place in an answer that names a cited subject. */
export interface AnswerMention {
  readonly subject_id: string;
  readonly name: string;
  /** The name as written in the text, on one line. */
  readonly text: string;
  /** Offset in code points. */
  readonly position: number;
  /** The offset after it, in code points; null if only the first place is known. */
  readonly end: number | null;
}

const mentionsMax = 10_000;

/**
 * Lists every place where an answer names a subject that it cites, in the order of the text. If a
 * subject has changed since the answer was judged, only its first place is known, without the text
 * there.
 */
export async function listAnswerMentions(
  db: Kysely<DataTables>,
  workspaceId: string,
  { run_id: runId, prompt_id: promptId, prompt, text, cited }: AnswerRow,
): Promise<AnswerMention[]> {
  const { language, ...range } = await db
    .selectFrom('answers')
    .leftJoin('prompts', (join) =>
      join.on('prompts.workspace_id', '=', workspaceId).on('prompts.id', '=', promptId),
    )
    .select(['language', ...rangeColumns])
    .where('answers.workspace_id', '=', workspaceId)
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
  const from = new Map<string, number>();
  for (const { subject_id: id, position } of cited) if (position !== null) from.set(id, position);
  const listMentions = createMentionLister(await readSubjects(db, workspaceId));
  const lists = listMentions(text, {
    language: guessLanguage(language ?? undefined, prompt),
    range,
    from,
    mentionsMax,
  });
  return cited
    .flatMap(({ subject_id, name, position: first }) => {
      if (first === null) return [];
      const mentions = lists.get(subject_id)?.mentions ?? [
        { text: '', position: first, end: null },
      ];
      return mentions.map(({ text: says, position, end }) => ({
        subject_id,
        name,
        text: says,
        position,
        end,
      }));
    })
    .toSorted((left, right) => left.position - right.position);
}
