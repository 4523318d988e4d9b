import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, instant, ratio, text, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { owner } from './answers.ts';
import { runParameters } from '../parameters.ts';

/** What sort of page or site a source is. */
export const sourceKinds = [
  'own',
  'competitor',
  'review',
  'list',
  'news',
  'reference',
  'forum',
  'video',
  'social',
  'shop',
  'authority',
  'docs',
  'other',
] as const;

export const sourceRow = z.strictObject({
  site: text.meta({ description: 'Registrable domain.', examples: ['g2.com'] }),
  url: text.nullable().meta({
    description: 'The page, without parameters that only track visitors; null unless `by=page`.',
    examples: ['https://www.g2.com/categories/crm'],
  }),
  title: text.nullable().meta({
    description: 'The latest title that an engine gave the page; null without one.',
    examples: ['Best CRM software'],
  }),
  owner: owner.meta({
    description: "The owner's type, by the domains and paths of the current subjects.",
    examples: ['other'],
  }),
  owner_id: uuid.nullable().meta({
    description: 'Id of the subject that owns it; null if no subject does.',
    examples: [null],
  }),
  runs: count.meta({ description: 'Counted runs that cite it.', examples: [214] }),
  share: ratio.meta({
    description: 'These runs / all counted runs of the period.',
    examples: [0.2229],
  }),
  brand_runs: count.meta({
    description: 'Of these runs, those that also cite the brand.',
    examples: [61],
  }),
  competitor_runs: count.meta({
    description: 'Of these runs, those that also cite a competitor.',
    examples: [188],
  }),
  gap_runs: count.meta({
    description: 'Of these runs, those that cite a competitor and not the brand.',
    examples: [132],
  }),
  first_cited_at: instant.meta({
    description: 'The first of these runs.',
    examples: ['2026-10-24T06:00:00.000Z'],
  }),
  last_cited_at: instant.meta({
    description: 'The last of these runs.',
    examples: ['2026-11-20T06:00:00.000Z'],
  }),
  last_crawled_at: instant.nullable().meta({
    description:
      "The last verified hit on the brand's own page, or site; null for others, and if there is none. Hits without a host count for the brand's domain if it has only one.",
    examples: [null],
  }),
  kind: z.enum(sourceKinds).meta({
    description:
      "What it is: a subject's page, else by a list of sites, by its address and title, or as the workspace says; `list` ranks things to choose from.",
    examples: ['review'],
  }),
});

export const sources = defineEndpoint({
  name: 'sources',
  path: '/api/v1/sources',
  summary: 'Which sites and pages answers cite',
  description: `What counted runs cite: the links in the text that counts, and the sources that the engine gave. Most cited first, at most ${limits.reportRowsMax} rows. A run counts once for each site or page.`,
  array: 'sources',
  query: z.strictObject({
    by: z
      .enum(['site', 'page'])
      .optional()
      .meta({ description: 'What a row is of; `site` if it is not given.', examples: ['page'] }),
    ...runParameters,
  }),
  row: sourceRow,
  rowsMax: limits.reportRowsMax,
  dependsOnDate: true,
});
