import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { count, date, engine, ratio, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { dayParameters, surface, tagParameter } from '../parameters.ts';
import { actionPriority } from './actions.ts';
import { subjectType } from './detections.ts';
import { verdict } from './shares.ts';
import { stanceRow } from './stances.ts';

/** Figures as in `shares`, and of the same names. A client drops fields that a newer server adds. */
const figures = {
  runs: count,
  cited: count,
  rate: ratio.nullable(),
  rate_low: ratio.nullable(),
  rate_high: ratio.nullable(),
  mentions: count,
  sov: ratio.nullable(),
  runs_compared: count,
  rate_before: ratio.nullable(),
  rate_compared: ratio.nullable(),
  rate_verdict: verdict,
  not_compared: z.string().nullable(),
};

/** Path of a page of the workspace, with the beginning of an id. */
const address = z.string().regex(/^\/w\/[a-z0-9-]+\/[apg]\/[0-9a-f-]{4,36}$/);

const subject = z.object({ name: z.string(), type: subjectType, ...figures });
const onSurface = z.object({ surface, ...figures });
const onEngine = z.object({
  engine,
  ...figures,
  refused: count,
  empty: count,
  failed: count,
});
const prompt = z.object({ prompt_id: uuid, prompt: z.string(), ...figures, address });
const lostPrompt = prompt.extend({
  leader: z.string(),
  leader_cited: count,
  answer: address.nullable(),
});
const topic = z.object({
  topic: z.string(),
  prompts: count,
  ...figures,
  leader: z.string().nullable(),
  leader_cited: count.nullable(),
  is_lost: z.boolean(),
});
const gapTopic = z.object({
  topic: z.string(),
  gaps: count,
  prompts: count,
  impact_score: z.number().min(0).max(100).nullable(),
  step: z.string().nullable(),
  is_outside_market: z.boolean(),
  actions: z.array(uuid),
});
/** Figures as in `stances`, and of the same names. */
const presented = z.object({
  name: z.string(),
  type: subjectType,
  ...stanceRow.pick({
    runs: true,
    cited: true,
    first_choice: true,
    recommended_for: true,
    also: true,
    plain: true,
    mixed: true,
    advised_against: true,
    unknown_to_engine: true,
    recommended_rate: true,
    recommended_rate_low: true,
    recommended_rate_high: true,
    recommended_share: true,
    kappa: true,
    kappa_low: true,
    kappa_high: true,
    labels: true,
    judge: true,
  }).shape,
});
const gap = z.object({
  id: uuid,
  recommendation: z.string(),
  priority: actionPriority,
  impact_score: z.number().min(0).max(100).nullable(),
  steps: z.array(z.string()),
  address,
});

/** What keeps a bot from the site, or hides whether it can read it. */
const crawlerStoryKind = z.enum(['refused', 'disallowed', 'broken', 'proxied', 'gone', 'forged']);
const crawlerStory = z.object({
  kind: crawlerStoryKind,
  bot_name: z.string().nullable(),
  since: date,
  requests: count,
  sentence: z.string(),
  cure: z.string(),
});

const exampleFigures = {
  runs: 960,
  cited: 312,
  rate: 0.325,
  rate_low: 0.2431,
  rate_high: 0.4189,
  mentions: 1134,
  sov: 0.2751,
  runs_compared: 912,
  rate_before: 0.2785,
  rate_compared: 0.3297,
  rate_verdict: 'within_chance' as const,
  not_compared: 'gemini: 48 now and 50 before (other model or settings)',
};
const examplePrompt = {
  prompt_id: '0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21',
  prompt: 'Which CRM suits a small agency?',
  ...exampleFigures,
  address: '/w/acme/p/0b8f',
};

const figureWords =
  '`runs` is the denominator of `rate`, `mentions` that of `sov`; `rate_before`, `rate_compared` and `rate_verdict` are over the same `runs_compared`; `not_compared` says what these leave out and why; see `shares`';

export const reportRow = z.strictObject({
  from: date.meta({ description: 'First day of the period, UTC.', examples: ['2026-10-24'] }),
  to: date.meta({ description: 'Last day of the period, UTC.', examples: ['2026-11-20'] }),
  before_from: date.meta({
    description: 'First day of the equal period before, with which figures are compared.',
    examples: ['2026-09-26'],
  }),
  before_to: date.meta({ description: 'Last day of that period.', examples: ['2026-10-23'] }),
  story: z.array(z.string()).meta({
    description: 'What changed, in sentences: only what is sure, and never a cause.',
    examples: [['Acme rose from 28 % to 33 % of answers.', 'Globex leads by 14 points.']],
  }),
  surfaces: z.array(onSurface).meta({
    description: `The brand in apps (\`surface\` is \`app\`) and in APIs, apart, where it has counted runs. \`subjects\`, \`lost\` and \`moved\` are of the first \`surface\` alone. ${figureWords}.`,
    examples: [[{ surface: 'app', ...exampleFigures }]],
  }),
  subjects: z.array(subject).meta({
    description: `The brand, then the competitors that most runs cite, at most ${limits.reportSubjectsMax} in all: \`name\`, \`type\`, and figures.`,
    examples: [[{ name: 'Acme', type: 'brand', ...exampleFigures }]],
  }),
  engines: z.array(onEngine).meta({
    description:
      'The brand on each engine, those with most runs first: figures, and the runs that were `refused`, `empty` or `failed`, which are no part of `runs`.',
    examples: [[{ engine: 'chatgpt', ...exampleFigures, refused: 2, empty: 0, failed: 1 }]],
  }),
  lost: z.array(lostPrompt).meta({
    description: `Prompts on which a competitor, the \`leader\`, is cited more often than the brand beyond chance (\`leader_cited\` of the \`runs\`), the largest loss first, at most ${limits.reportPromptsMax}. A sign test over the answers that cite only one of the two decides, and of those listed at most 10 % are expected to be chance. \`address\` is the page of the prompt, \`answer\` that of its last answer which cites the leader and not the brand.`,
    examples: [
      [{ ...examplePrompt, leader: 'Globex', leader_cited: 700, answer: '/w/acme/a/3c1d' }],
    ],
  }),
  moved: z.array(prompt).meta({
    description: `Prompts on which the brand moved beyond chance, the largest change first, at most ${limits.reportPromptsMax}. Of those listed, at most 10 % are expected to be chance.`,
    examples: [[{ ...examplePrompt, rate_verdict: 'up' as const }]],
  }),
  gaps: z.array(gap).meta({
    description:
      'The three actions with the highest `impact_score` that are open now, whatever the period, of prompts with the `tag` if one is given, without topics that are not the market: what to do, the `steps` of how to fix it (none if it was imported), and the `address` of its page.',
    examples: [
      [
        {
          id: '6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10',
          recommendation: 'Get cited for "Which CRM suits a small agency?".',
          priority: 'high' as const,
          impact_score: 72.5,
          steps: ['Get Acme onto the pages that the answers without it cite: g2.com/crm.'],
          address: '/w/acme/g/6f4a',
        },
      ],
    ],
  }),
  crawlers: z.array(crawlerStory).meta({
    description: `What keeps the bots of answer engines from the site in the 60 days up to \`to\`, the worst first, at most ${limits.reportCrawlersMax}: what happened and since when (\`sentence\`), and what to do (\`cure\`). \`bot_name\` is null if it concerns all bots. Empty if nothing does, or no access log is read.`,
    examples: [
      [
        {
          kind: 'refused' as const,
          bot_name: 'OAI-SearchBot',
          since: '2026-11-15',
          requests: 84,
          sentence:
            "OAI-SearchBot, which ChatGPT's search reads with, has been refused since 15 November: 84 of 84 requests.",
          cure: 'Let it in at the firewall.',
        },
      ],
    ],
  }),
  topics: z.array(topic).meta({
    description: `The brand on each topic of the market, those that it loses first, then those with the lowest rate, at most ${limits.reportPromptsMax}: \`prompts\` with this topic, figures, and the competitor that most of the \`runs\` cite (\`leader_cited\`). \`is_lost\`: it leads the brand beyond chance, by the test of \`lost\`. Empty if no prompt has a topic.`,
    examples: [
      [
        {
          topic: 'Small agencies',
          prompts: 6,
          ...exampleFigures,
          leader: 'Globex',
          leader_cited: 700,
          is_lost: true,
        },
      ],
    ],
  }),
  gap_topics: z.array(gapTopic).meta({
    description:
      'All open actions that have a topic, by topic, most impact first: how many `gaps` of how many `prompts`, the highest `impact_score`, the first `step` of that gap, and the ids of the `actions`. An action has the topic of most of its prompts. Topics with `is_outside_market` come last: the other lists and pages leave them out.',
    examples: [
      [
        {
          topic: 'Small agencies',
          gaps: 7,
          prompts: 5,
          impact_score: 72.5,
          step: 'Get Acme onto the pages that the answers without it cite: g2.com/crm.',
          is_outside_market: false,
          actions: ['6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10'],
        },
      ],
    ],
  }),
  stances: z
    .array(presented)
    .nullable()
    .meta({
      description: `How answers present the brand, then the competitors that most judged runs cite, at most ${limits.reportSubjectsMax} in all, of the first \`surface\`: see \`stances\`. Null unless answers are judged and the judge is checked.`,
      examples: [null],
    }),
});

export const report = defineEndpoint({
  name: 'report',
  path: '/api/v1/report',
  summary: 'How the brand is doing, on one page',
  description:
    'One object instead of a list: what changed for sure, in sentences, and the figures behind it, each with its sample, its interval and the verdict of its change against the equal period before. Addresses are paths on this server, for members of the workspace.',
  array: 'report',
  isObject: true,
  query: z.strictObject({ tag: tagParameter, ...dayParameters }),
  row: reportRow,
  dependsOnDate: true,
});
