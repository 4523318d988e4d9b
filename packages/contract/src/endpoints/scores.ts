import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, date, engine, ratio } from '../fields.ts';
import { limits } from '../limits.ts';

export const scoreRow = z.strictObject({
  date: date.meta({ description: 'The UTC day that was measured.', examples: ['2026-11-20'] }),
  engine,
  citations: count.meta({
    description: 'Counted runs of that engine and day in which the brand was cited.',
    examples: [18],
  }),
  total_runs: count.meta({
    description: 'Counted runs: answered, of prompts that do not name the brand.',
    examples: [40],
  }),
  sov: ratio.meta({
    description:
      "Share of voice, a ratio from 0 to 1 with 4 decimals (0.25 is 25 %): the brand's cited runs / (the brand's cited runs + the sum over competitors of each one's cited runs), over the same runs. 0 where nobody was cited; without competitors 1 or 0. Never average it over days or engines.",
    examples: [0.3214],
  }),
});

export const scores = defineEndpoint({
  name: 'scores',
  path: '/api/v1/scores',
  summary: 'Daily share of voice per answer engine',
  description: `One row per engine per day, from today - ${limits.scoresDays - 1} to today (UTC), both included; \`date\` descending, then \`engine\`. A day on which nothing was counted has no row.`,
  array: 'scores',
  query: z.strictObject({}),
  row: scoreRow,
  dependsOnDate: true,
});
