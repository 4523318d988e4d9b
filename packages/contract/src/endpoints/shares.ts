import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, date, engine, ratio, text, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { subjectType } from './detections.ts';
import { limitParameter, runParameters } from '../parameters.ts';

/** How a figure changed since the period before. */
export const verdict = z.enum(['up', 'down', 'within_chance', 'too_few', 'not_comparable']);
export type ChangeVerdict = z.infer<typeof verdict>;

/** The kinds of groups. */
const grouping = z.enum(['total', 'engine', 'prompt', 'locale', 'day', 'week', 'tag', 'topic']);
export type ShareGrouping = z.infer<typeof grouping>;

/** Whether the engine of a run searched. */
const searched = z.enum(['yes', 'no']);
export type Searched = z.infer<typeof searched>;

const change = z.number().min(-1).max(1).nullable();
const verdictWords =
  '`up` or `down` beyond chance (95 %; of a list of prompts, tags, topics, days or weeks at most 10 % of those called are expected to be chance), `within_chance`, `too_few` prompts or citations to say, or `not_comparable` because the periods measured different things';

function outcomeCount(what: string) {
  return count.nullable().meta({
    description: `Runs ${what}, not part of \`runs\`, of prompts that do not name the brand; null unless \`by=engine\`.`,
    examples: [null],
  });
}

export const shareRow = z.strictObject({
  subject_id: uuid.meta({
    description: 'Id of the subject.',
    examples: ['0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00'],
  }),
  subject_type: subjectType.meta({
    description: "The workspace's own brand, or a competitor.",
    examples: ['brand'],
  }),
  name: text.meta({ description: 'Name of the subject.', examples: ['Acme'] }),
  engine: engine.nullable().meta({
    description: 'Engine of the group; null unless `by=engine`.',
    examples: ['chatgpt'],
  }),
  prompt_id: uuid.nullable().meta({
    description: 'Prompt of the group; null unless `by=prompt`.',
    examples: [null],
  }),
  locale: text.nullable().meta({
    description: 'Locale of the group; null unless `by=locale`.',
    examples: [null],
  }),
  from: date.meta({ description: 'First day of the group, UTC.', examples: ['2026-10-24'] }),
  to: date.meta({ description: 'Last day of the group, UTC.', examples: ['2026-11-20'] }),
  runs: count.meta({
    description: 'Counted runs: answered, of prompts that do not name the brand.',
    examples: [960],
  }),
  prompts: count.meta({ description: 'Prompts of these runs.', examples: [40] }),
  cited: count.meta({
    description: 'Runs in which the subject was cited: named or linked.',
    examples: [312],
  }),
  named: count.meta({ description: 'Runs whose answer names it.', examples: [290] }),
  linked: count.meta({
    description: 'Runs whose answer or sources link to it. A run may both name and link it.',
    examples: [85],
  }),
  rate: ratio.nullable().meta({
    description:
      'Citation rate, `cited / runs`; null if some of the runs were judged before the subject was tracked.',
    examples: [0.325],
  }),
  rate_low: ratio.nullable().meta({
    description:
      'Lower end of the 95 % interval of the rate, clustered by prompt; null under 5 prompts.',
    examples: [0.2431],
  }),
  rate_high: ratio
    .nullable()
    .meta({ description: 'Upper end of that interval.', examples: [0.4189] }),
  sov: ratio.nullable().meta({
    description:
      "Share of voice: its cited runs / the sum of every subject's cited runs, pooled by counts; null without competitors or citations.",
    examples: [0.2751],
  }),
  sov_low: ratio.nullable().meta({
    description:
      'Lower end of the 95 % interval of the share of voice; null under 5 prompts or 10 citations.',
    examples: [0.2102],
  }),
  sov_high: ratio
    .nullable()
    .meta({ description: 'Upper end of that interval.', examples: [0.3512] }),
  rank_mean: z
    .number()
    .min(1)
    .nullable()
    .meta({
      description: 'Mean rank in the runs that cite it and have one; null if there is none.',
      examples: [1.84],
    }),
  prompts_compared: count.meta({
    description:
      'Prompts with comparable runs in this period and in the equal period before, over which changes are computed.',
    examples: [38],
  }),
  rate_change: change.meta({
    description: 'Rate of this period minus that of the period before, over the compared prompts.',
    examples: [0.0512],
  }),
  rate_detectable: ratio.nullable().meta({
    description: 'The smallest change of the rate that would be detected in 80 % of cases.',
    examples: [0.0731],
  }),
  rate_verdict: verdict.meta({ description: `${verdictWords}.`, examples: ['within_chance'] }),
  sov_change: change.meta({
    description:
      'Change of the share of voice since the period before, over the subjects that both periods tracked.',
    examples: [0.0121],
  }),
  sov_detectable: ratio.nullable().meta({
    description:
      'The smallest change of the share of voice that would be detected in 80 % of cases.',
    examples: [0.0453],
  }),
  sov_verdict: verdict.meta({ description: `${verdictWords}.`, examples: ['within_chance'] }),
  runs_compared: count.meta({
    description:
      'Runs of this period over which changes are computed: of prompts and cohorts that the period before has, too.',
    examples: [912],
  }),
  rate_before: ratio.nullable().meta({
    description:
      'Rate of the comparable runs of the period before; null where `rate_change` is null.',
    examples: [0.2785],
  }),
  rate_compared: ratio.nullable().meta({
    description:
      'Rate of the `runs_compared`; minus `rate_before` it is `rate_change`. It differs from `rate`, which is of all `runs`.',
    examples: [0.3297],
  }),
  mentions: count.meta({
    description:
      "The sum of every subject's cited runs, the denominator of `sov`. A run counts once for each subject that it cites.",
    examples: [1134],
  }),
  cited_without_brand: count.meta({
    description: 'Runs that cite the subject and not the brand; 0 for the brand.',
    examples: [0],
  }),
  runs_tracked: count.meta({
    description:
      'Runs that were judged while the subject was tracked: divide `cited` by them where they are fewer than `runs`.',
    examples: [960],
  }),
  prompt: text.nullable().meta({
    description: 'Text of the prompt of the group; null unless `by=prompt`.',
    examples: [null],
  }),
  refused: outcomeCount('refused by the engine'),
  empty: outcomeCount('with an empty answer'),
  failed: outcomeCount('that failed, such as truncated answers'),
  not_compared: text.nullable().meta({
    description:
      'The runs that changes leave out, by engine and reason, most first: the engine or the prompts have runs in one of the periods only, or the model, options or locale differ. The runs of this period and `runs_compared` add up to `runs`; null if nothing is left out.',
    examples: ['gemini: 48 now and 50 before (other model or settings)'],
  }),
  tag: text.nullable().meta({
    description:
      'Tag of the group, or topic; null unless `by=tag` or `by=topic`, and for prompts without one.',
    examples: [null],
  }),
  search_unknown: count.nullable().meta({
    description:
      'Runs of the period that `searched` leaves out because their engines do not say whether they searched, the same in every row; null without `searched`.',
    examples: [null],
  }),
});

/** Why apps are compared with their APIs one by one. */
export const againstFault =
  'It needs one engine: `by=engine`, or `engine`. Pooled, apps and APIs would differ by how often each engine was asked.';

/** Whether a query against APIs is about single engines. */
export function isAgainstOne(query: {
  against?: string | undefined;
  by?: string | undefined;
  engine?: string | undefined;
}): boolean {
  return query.against !== 'api' || query.by === 'engine' || query.engine !== undefined;
}

export const shares = defineEndpoint({
  name: 'shares',
  path: '/api/v1/shares',
  summary: 'Citation rate and share of voice of every subject, with changes',
  description: `Figures over a period, pooled by counts: one row per subject and group, with 95 % intervals, and the change against the equal period before. The brand first, then competitors by name; within a subject by engine, locale, prompt id or tag (prompts without a tag last), days and weeks most recent first. At most ${limits.reportRowsMax} rows. A period without counted runs has none.`,
  array: 'shares',
  query: z
    .strictObject({
      by: grouping.optional().meta({
        description:
          'What a row is of besides its subject; `total` if it is not given. Weeks are 7 days, counted back from `to`. A prompt with two tags counts in both rows of `tag`; it has one topic at most, so rows of `topic` add up to the total.',
        examples: ['engine'],
      }),
      competitor_prompts: z
        .enum(['include', 'exclude'])
        .optional()
        .meta({
          description:
            'Whether prompts that name a competitor are counted; `include` if it is not given.',
          examples: ['exclude'],
        }),
      ...runParameters,
      searched: searched.optional().meta({
        description:
          'Only runs whose engine searched before it answered, or did not. Runs of engines that do not say are in neither: `search_unknown` counts them.',
        examples: ['yes'],
      }),
      limit: limitParameter(limits.reportRowsMax),
      against: z
        .enum(['before', 'api'])
        .optional()
        .meta({
          description:
            "What changes are against: `before`, the equal period before, if it is not given; `api`, the answers of each app's API (`chatgpt` against `chatgpt_api`) in the same period, over the prompts that were put to both; it needs `by=engine` or `engine`. `up` then means more often in the app. The other figures are of apps.",
          examples: ['api'],
        }),
    })
    .refine((query) => isAgainstOne(query), {
      path: ['against'],
      error: againstFault,
    }),
  row: shareRow,
  rowsMax: limits.reportRowsMax,
  dependsOnDate: true,
});
