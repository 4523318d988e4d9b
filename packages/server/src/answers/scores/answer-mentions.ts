import type { AnswerRow } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { guessLanguage } from '../detection/language/affixes.ts';
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
  { prompt_id: promptId, prompt, text, cited }: AnswerRow,
): Promise<AnswerMention[]> {
  const stored = await db
    .selectFrom('prompts')
    .select('language')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', promptId)
    .executeTakeFirst();
  const from = new Map<string, number>();
  for (const { subject_id: id, position } of cited) if (position !== null) from.set(id, position);
  const language = guessLanguage(stored?.language, prompt);
  const listMentions = createMentionLister(await readSubjects(db, workspaceId));
  const lists = listMentions(text, { language, from, mentionsMax });
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
