import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { instant, text, uuid } from '../fields.ts';
import { limits } from '../limits.ts';

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
  description: `The prompts that the workspace tracks, at most ${limits.promptsMax}, most recent first.`,
  array: 'prompts',
  rowsMax: limits.promptsMax,
  query: z.strictObject({}),
  row: promptRow,
});
