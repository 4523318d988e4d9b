import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, date, engine, instant, ratio, uuid, uuidParameter } from '../fields.ts';
import { limits } from '../limits.ts';
import { surface } from '../parameters.ts';
import { reportRow } from './report.ts';
import { subjectRow } from './subjects.ts';

const onSurface = z.object({ surface, runs: count, cited: count, rate: ratio.nullable() });

/** Why a recount has more or fewer counted runs. */
export const recountReason = z.enum([
  'imported',
  'collected',
  'reverted',
  'removed',
  'counted',
  'uncounted',
]);

const recount = z.object({
  sentences: z.array(z.string()),
  surfaces: z.array(onSurface),
  runs_change: z.int(),
  reasons: z.array(
    z.object({
      reason: recountReason,
      import_id: z.int().nullable(),
      file: z.string().nullable(),
      runs: z.int(),
    }),
  ),
  rejudged: count,
});

/** Counted runs of one engine and import that one method judged for one set of subjects. */
const countedRuns = z.object({
  engine,
  import_id: z.int().nullable(),
  method: z.string().nullable(),
  judged_by: z.string().nullable(),
  stored: count,
  runs: count,
});

const example = { surface: 'app' as const, runs: 960, cited: 312, rate: 0.325 };
const onlyById = 'Only with `id`, else null.';

export const publishedRow = z.strictObject({
  id: uuid.meta({
    description: 'Id of the published report.',
    examples: ['019ab8f2-7a01-7c3e-9d10-5a0b6f3c2e11'],
  }),
  from: date.meta({ description: 'First day of the period, UTC.', examples: ['2026-10-01'] }),
  to: date.meta({ description: 'Last day of the period, UTC.', examples: ['2026-10-31'] }),
  tag: z
    .string()
    .nullable()
    .meta({ description: 'The tag of its prompts; null for all prompts.', examples: [null] }),
  published_at: instant.meta({
    description: 'When the figures were computed and stored.',
    examples: ['2026-11-01T00:01:00.000Z'],
  }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .meta({
      description:
        'SHA-256 of the body that `id` gives, in hexadecimal. The body cannot contain it: null there.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  surfaces: z.array(onSurface).meta({
    description:
      'The brand when it was published, in apps and in APIs apart, where it had counted runs: `rate` is `cited` of `runs`.',
    examples: [[example]],
  }),
  recount: recount.nullable().meta({
    description:
      'Only with `recount`, else null: the same figures counted now, and why they differ, in `sentences`. The `runs` of the `reasons` add up to `runs_change`, by which the counted runs differ: `imported` with an import, `collected` without one, `reverted` with an import, `removed`, or `counted` and `uncounted` since a prompt names the brand no more or now, or lost or got the tag; what was added and removed under one engine and import is net. `rejudged` runs were judged again, with other names or by another method.',
    examples: [
      {
        sentences: ['A recount gives 33 % of 972 answers in apps; published were 33 % of 960.'],
        surfaces: [{ ...example, runs: 972 }],
        runs_change: 12,
        reasons: [{ reason: 'imported' as const, import_id: 7, file: 'late.csv', runs: 12 }],
        rejudged: 0,
      },
    ],
  }),
  report: z
    .object({
      ...reportRow.shape,
      // A report that an older version published has no newer fields.
      stances: reportRow.shape.stances.optional(),
    })
    .nullable()
    .meta({ description: `What \`report\` gave. ${onlyById}`, examples: [null] }),
  subjects: z
    .array(z.object(subjectRow.shape))
    .nullable()
    .meta({ description: `What \`subjects\` gave. ${onlyById}`, examples: [null] }),
  counted: z
    .array(countedRuns)
    .nullable()
    .meta({
      description: `The runs behind the figures by engine and import (null: not imported), the method that judged them, and the version of the subjects (\`judged_by\`): \`stored\` answers, of which \`runs\` are counted. ${onlyById}`,
      examples: [null],
    }),
  revision: z
    .string()
    .nullable()
    .meta({ description: `The revision of the data. ${onlyById}`, examples: [null] }),
  page: z
    .looseObject({})
    .nullable()
    .meta({
      description: `What the published page is drawn from, in a form of its own that may change. ${onlyById}`,
      examples: [null],
    }),
});

export const reports = defineEndpoint({
  name: 'reports',
  path: '/api/v1/reports',
  summary: 'Published reports, which stay as they were',
  description: `Reports that were published, the last first, at most ${limits.publishedReportsMax}: their period and tag, the brand's figures then, and the SHA-256 of the stored bytes. With \`id\` the body is these bytes as they are, with one row: they stay the same whatever is imported, removed, judged again or upgraded later. With \`recount\` the list has this report alone, with how a recount differs and why.`,
  array: 'reports',
  rowsMax: limits.publishedReportsMax,
  query: z.strictObject({
    id: uuidParameter.optional().meta({
      description: 'The published report to read, byte for byte. An unknown one gives no row.',
      examples: ['019ab8f2-7a01-7c3e-9d10-5a0b6f3c2e11'],
    }),
    recount: uuidParameter.optional().meta({
      description: 'The published report to count again, instead of `id`.',
      examples: ['019ab8f2-7a01-7c3e-9d10-5a0b6f3c2e11'],
    }),
  }),
  row: publishedRow,
});
