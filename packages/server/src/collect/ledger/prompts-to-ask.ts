import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from '../../storage/store.ts';
import { thousands } from '../../values/plural.ts';
import type { Question } from '../engines/engine.ts';

/** Longer prompts are not asked: an engine reads a prompt again at each of its searches. */
export const promptCharactersMax = 2000;

/** A prompt that is active, switched on, and short enough to be asked. */
interface PromptToAsk extends Question {
  readonly id: string;
}

export function readPromptsToAsk(
  { reader }: Pick<Store, 'reader'>,
  workspaceId: string,
): Promise<PromptToAsk[]> {
  return selectPromptsOn({ reader }, workspaceId)
    .select(['id', 'text', 'locale'])
    .where(promptLength, '<=', promptCharactersMax)
    .execute();
}

/** How a prompt is asked now, or why it is not. */
export async function readQuestion(
  { reader }: Pick<Store, 'reader'>,
  { workspaceId, promptId }: { workspaceId: string; promptId: string },
): Promise<Question | 'prompt_off' | 'prompt_too_long'> {
  const prompt = await selectPromptsOn({ reader }, workspaceId)
    .select(['text', 'locale', promptLength.as('length')])
    .where('id', '=', promptId)
    .executeTakeFirst();
  if (prompt === undefined) return 'prompt_off';
  const { text, locale, length } = prompt;
  return length > promptCharactersMax ? 'prompt_too_long' : { text, locale };
}

/** Counts the prompts that are on and too long to be asked. */
export async function countLongPrompts(
  { reader }: Pick<Store, 'reader'>,
  workspaceId: string,
): Promise<number> {
  const { count } = await selectPromptsOn({ reader }, workspaceId)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where(promptLength, '>', promptCharactersMax)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Says that prompts are too long to be asked; undefined if none is. */
export function longPromptsWords(count: number): string | undefined {
  if (count === 0) return undefined;
  const limit = `more than ${thousands(promptCharactersMax)} characters`;
  return count === 1
    ? `1 prompt that is on has ${limit}, so it is not asked.`
    : `${thousands(count)} prompts that are on have ${limit}, so they are not asked.`;
}

/** The characters of a prompt. Both databases count code points. */
export const promptLength: RawBuilder<number> = sql<number>`length(text)`;

function selectPromptsOn({ reader }: Pick<Store, 'reader'>, workspaceId: string) {
  return reader
    .selectFrom('prompts')
    .where('workspace_id', '=', workspaceId)
    .where('active', '=', true)
    .where('collect', '=', true)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workspaces')
            .select('workspaces.id')
            .where('workspaces.id', '=', workspaceId)
            .where('archived_at', 'is not', null),
        ),
      ),
    );
}
