import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, engine, instant, uuid, uuidParameter } from '../fields.ts';
import { limits, rankSince } from '../limits.ts';
import { cursorParameter, openDayParameters } from '../parameters.ts';

export const subjectType = z.enum(['brand', 'competitor']);
export type SubjectType = z.infer<typeof subjectType>;
export const sentiment = z.enum(['positive', 'neutral', 'negative']);

export const detectionRow = z.strictObject({
  run_id: uuid.meta({
    description: 'The run: one prompt put to one engine at one moment.',
    examples: ['3c1d9a7e-2f0b-5b8c-9f43-0a7d2a9e6d54'],
  }),
  subject_type: subjectType.meta({
    description: "The workspace's own brand, or a competitor.",
    examples: ['brand'],
  }),
  subject_id: uuid.nullable().meta({
    description: 'Id of the subject; null only on imported rows that lack one.',
    examples: ['0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00'],
  }),
  cited: z.boolean().meta({
    description:
      "Whether it was cited: named in the answer, or one of its domains is among the answer's links or sources.",
    examples: [true],
  }),
  position: count.nullable().meta({
    description:
      'Offset of the first mention in the answer, in Unicode code points; null if it is not named.',
    examples: [118],
  }),
  rank: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description: `Order among the cited subjects of this answer, 1 first; null if it is not cited, and for runs before ${rankSince.slice(0, 10)}.`,
      examples: [1],
    }),
  sentiment: sentiment.nullable().meta({
    description:
      'How the answer speaks of the subject, as imported, or as follows from its stance; null if that was not judged, and for mixed stances.',
    examples: ['positive'],
  }),
  engine,
  run_at: instant.meta({
    description: 'When the prompt was put to the engine.',
    examples: ['2026-11-20T06:00:00.000Z'],
  }),
});

export const detections = defineEndpoint({
  name: 'detections',
  path: '/api/v1/detections',
  summary: 'Who was cited in which run',
  description: `Whether the brand and each competitor was cited, per run. Without \`prompt_id\`, of the ${limits.detectionsRunsMax} most recent runs across all prompts; with it, of every run of that prompt, however many. With \`from\` or \`to\`, of every run of these days, ${limits.detectionsRunsMax} runs a page: the address of the next page is in the \`Link\` header (\`rel="next"\`) if there are more. \`run_at\` descending, then run, then the brand before competitors, then rank with nulls last.`,
  array: 'detections',
  query: z.strictObject({
    prompt_id: uuidParameter.optional().meta({
      description: 'Only runs of this prompt, all of them. An unknown one gives an empty array.',
      examples: ['0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21'],
    }),
    ...openDayParameters('run'),
    cursor: cursorParameter(),
  }),
  row: detectionRow,
  isPaged: true,
});
