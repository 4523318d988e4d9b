import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { instant, text, uuid, uuidPattern } from '../fields.ts';
import { limits } from '../limits.ts';
import { cursorParameter } from '../parameters.ts';

export const promptRow = z.strictObject({
  id: uuid.meta({
    description: 'Id of the prompt.',
    examples: ['0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21'],
  }),
  text: text.meta({
    description: 'The question as it is put to the engines.',
    examples: ['Which CRM suits a small agency?'],
  }),
  language: text.meta({ description: 'Language, BCP 47.', examples: ['en'] }),
  locale: text.meta({ description: 'Language and region, BCP 47.', examples: ['en-US'] }),
  active: z
    .boolean()
    .meta({ description: 'Whether it is still put to the engines.', examples: [true] }),
  created_at: instant.meta({
    description: 'When the prompt was first tracked.',
    examples: ['2026-06-01T08:00:00.000Z'],
  }),
});

export const prompts = defineEndpoint({
  name: 'prompts',
  path: '/api/v1/prompts',
  summary: 'Tracked prompts',
  description: `The prompts that the workspace tracks, at most ${limits.promptsMax}, most recent first. With a parameter, the address of the next page is in the \`Link\` header (\`rel="next"\`) if there are more; for all prompts begin with \`cursor=start\`.`,
  array: 'prompts',
  rowsMax: limits.promptsMax,
  query: z.strictObject({
    prompt_id: z
      .string()
      .toLowerCase()
      .refine(areIds, {
        error: `It must be 1 to ${limits.promptIdsMax} UUIDs with commas between.`,
      })
      .optional()
      .meta({
        description: `Only these prompts, up to ${limits.promptIdsMax} ids with commas between. Unknown ones are left out.`,
        examples: ['0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21'],
      }),
    active: z
      .enum(['true', 'false'])
      .optional()
      .meta({
        description: 'Only prompts that are still asked, or no longer.',
        examples: ['true'],
      }),
    search: z
      .string()
      .max(200, { error: 'It must have at most 200 characters.' })
      .optional()
      .meta({
        description: 'Only prompts with this in their text, in any case; a hyphen is a space.',
        examples: ['agency'],
      }),
    cursor: cursorParameter(['start']),
  }),
  row: promptRow,
  isPaged: true,
});

function areIds(list: string): boolean {
  const ids = list.split(',');
  return ids.length <= limits.promptIdsMax && ids.every((id) => uuidPattern.test(id));
}
