import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { instant, ratio, text, uuid } from '../fields.ts';

export const actionPriority = z.enum(['high', 'medium', 'low']);
export const actionStatus = z.enum(['open', 'in_progress', 'done', 'dismissed']);

export const actionRow = z.strictObject({
  id: uuid.meta({
    description: 'Id of the action.',
    examples: ['6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10'],
  }),
  prompt_id: uuid.nullable().meta({
    description: 'The prompt that the action would improve; null if it concerns no single prompt.',
    examples: ['0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21'],
  }),
  recommendation: text.meta({
    description: 'One concrete fix.',
    examples: ['Publish a comparison page: perplexity named Globex in 9 of 12 runs, Acme in none.'],
  }),
  priority: actionPriority.meta({ description: 'How much it matters.', examples: ['high'] }),
  status: actionStatus.meta({ description: 'How far it is.', examples: ['open'] }),
  impact_score: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({
      description: 'Expected impact, 0 to 100; null if it was not estimated.',
      examples: [72.5],
    }),
  sov_baseline: ratio.nullable().meta({
    description: 'Share of voice when the action was found, a ratio from 0 to 1; null if unknown.',
    examples: [0.1],
  }),
  sov_result: ratio.nullable().meta({
    description:
      'Share of voice after the action was done, a ratio from 0 to 1; null until it is measured.',
    examples: [null],
  }),
  created_at: instant.meta({
    description: 'When the action was found.',
    examples: ['2026-11-18T06:00:00.000Z'],
  }),
});

export const actions = defineEndpoint({
  name: 'actions',
  path: '/api/v1/actions',
  summary: 'Recommended actions: the gap list',
  description:
    'Every action of the workspace: `impact_score` descending with nulls last, then most recent first.',
  array: 'actions',
  query: z.strictObject({
    status: actionStatus
      .optional()
      .meta({ description: 'Only actions of this status; all when omitted.', examples: ['open'] }),
  }),
  row: actionRow,
});
