import { shares } from '@overheard/contract';
import { listGaps } from '../../../storage/gaps.ts';
import { readPeriodReport } from '../../../reports/period-report.ts';
import type { PeriodReport, ScoresOfEngine } from '../../../reports/period-report.ts';
import { sentenceText, storyText } from '../../../reports/story/sentences.ts';
import { readAvailableData } from '../../../reports/available-data.ts';
import { defineGroup, defineWorkspaceCommand } from '../../define/define-command.ts';
import { number } from '../../define/options.ts';
import {
  monthlyCommand,
  publishCommand,
  publishedCommand,
  unpublishCommand,
} from './publishing.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { runOptions } from '../../filters/parameter.ts';
import { cohortChangeWords } from '../../words/cohort-change-words.ts';
import {
  crawlTable,
  noHitsWords,
  noRunsWords,
  shareNotes,
  shareTables,
  sourceNote,
  sourceTable,
} from '../../words/report-words.ts';
import { changeWords, percent, rateWords } from '../../../values/figure-words.ts';
import type { ActionRow } from '@overheard/contract';
import { impactWord } from '../../../answers/actions/impact.ts';
import { amount } from '../../../values/plural.ts';
import { tableOf } from '../../define/table-of.ts';
import type { Table } from '../../terminal/print.ts';

const { from, to, days } = runOptions;

const showCommand = defineWorkspaceCommand({
  name: 'show',
  summary: 'the figures of a period on one page: subjects, prompts, sources, crawlers, gaps',
  description:
    'One page for a period: what changed for sure, in a sentence or two; every subject, the brand on each engine, the prompts that moved, the prompts lost to a competitor, the sites that answers cite, the crawlers that were refused, and the open actions. Each figure has its sample size and 95 % interval, each change its verdict. Of the prompts that moved, and of those lost, at most 10 % are expected to be chance.',
  options: {
    days,
    from,
    to,
    tag: runOptions.tag,
    rows: number('most prompts, sources, crawlers and actions to print', {
      min: 1,
      max: 100,
      initial: 5,
    }),
  },
  json: '{from, to, story:{kind, headline, lines, missing}, shares:{head, subjects, beside, engines, local_models}, prompts:{moved, lost:[{prompt, topic, brand, leader}]}, topics:[{topic, prompts, is_outside_market, brand, rival, is_lost}], sources, crawls, actions, imported_scores, changes:[{engine, date, kind, models, models_before}]}, rows as in the API and whole lists',
  hasCsv: true,
  examples: [
    'overheard report --workspace acme --days 28',
    'overheard report --workspace acme --to 2026-10-31 --days 31',
    "overheard report --workspace acme --json | jq '.prompts.lost[].prompt'",
    'overheard report --workspace acme --csv > figures.csv',
    '    The figures of subjects, engines and prompts, each with its section.',
  ],
  run: async (context, values) => {
    const { slug, io } = context;
    const period = readPeriod(values, io);
    const { tag: chosen } = await namedFilters(context, { tag: values.tag });
    const { report, actions, available } = await inSnapshot(context, async (source) => ({
      report: await readPeriodReport(source, { ...period, tag: chosen }),
      actions: await listGaps(source, { status: 'open', tag: chosen }),
      available: await readAvailableData(source),
    }));
    const {
      story,
      subjects,
      engines,
      moved,
      lost,
      topics,
      sources,
      crawls,
      importedScores,
      changes,
    } = report;
    const { head, beside, localModels } = report.surfaces;
    const hasRuns = report.runs > 0;
    const { rows: rowsMax } = values;
    const isEmpty = !hasRuns && importedScores.length === 0 && !available.hasHits;
    return {
      json: {
        ...period,
        story: {
          ...story,
          headline: sentenceText(story.headline),
          lines: story.lines.map(sentenceText),
        },
        shares: { head, subjects, beside, engines, local_models: localModels },
        prompts: { moved, lost },
        topics,
        sources,
        crawls,
        actions: actions.map(({ parts: _, ...action }) => action),
        importedScores,
        changes,
      },
      csv: { fields: ['section', ...shares.fields], rows: figures(report) },
      lead: hasRuns && storyText(story),
      tables: [
        ...(hasRuns ? runTables(report, { rowsMax }) : []),
        importedScoreTable(importedScores),
        ...(isEmpty
          ? []
          : siteTables(report, actions, { rowsMax, noHits: noHitsWords(available, slug) })),
      ],
      words: [
        `From ${period.from} to ${period.to} (UTC).`,
        ...(hasRuns
          ? [
              surfaceWords(report),
              ...shareNotes([...subjects, ...engines]),
              ...changes.map(cohortChangeWords),
              sourceNote,
            ]
          : [noRunsWords(available, slug)]),
        actions.length > 0 && `All of an action: overheard actions explain ID --workspace ${slug}`,
      ],
    };
  },
});

/** `overheard report` without the name of a command shows the report. */
export const reportCommand = defineGroup({
  name: 'report',
  summary: 'the figures of a period on one page, and reports that are published',
  description:
    'Shows the figures of a period on one page, and publishes them: a published report stays as it is.',
  commands: [publishCommand, publishedCommand, unpublishCommand, monthlyCommand],
  usual: showCommand,
});

/** Of which answers the figures of subjects and prompts are, if some were got through APIs. */
function surfaceWords({ surfaces, subjects }: PeriodReport): string | false {
  const { head, beside, localModels } = surfaces;
  const locals =
    localModels.length === 0
      ? ''
      : ` A local model, which is not what people see: ${localModels.join(', ')}.`;
  if (beside !== null) {
    return `The figures of subjects and prompts are of apps alone. In answers got through APIs: ${beside.name} cited in ${rateWords(beside)}.${locals}`;
  }
  return (
    head === 'api' &&
    subjects.length > 0 &&
    `The figures are of answers got through APIs, which people do not see.${locals}`
  );
}

/** The figures of all sections as rows of one table. */
function figures({ subjects, engines, prompts }: PeriodReport) {
  return Object.entries({ subjects, engines, prompts }).flatMap(([section, rows]) =>
    rows.map((row) => ({ section, ...row })),
  );
}

/** The tables of runs: at most `rowsMax` prompts and sources each. */
function runTables(report: PeriodReport, { rowsMax }: { rowsMax: number }): Table[] {
  const { subjects, engines, sources, runs } = report;
  return [
    ...shareTables(subjects, { by: 'total' }),
    ...shareTables(engines, { by: 'engine', subject: subjects[0]?.name }),
    movedTable(report, rowsMax),
    lostTable(report, rowsMax),
    ...(report.topics.length > 0 ? [topicTable(report, rowsMax)] : []),
    {
      ...sourceTable(sources.slice(0, rowsMax), { runs }),
      title: 'Sites that answers cite, most often with a competitor alone (GAP) first',
      none: 'No counted answer cites a site that belongs to no subject.',
    },
  ];
}

function movedTable({ moved, prompts }: PeriodReport, rowsMax: number): Table {
  const judged = prompts.filter(
    ({ rate_verdict: verdict }) => verdict !== 'too_few' && verdict !== 'not_comparable',
  );
  return {
    title: `Prompts that moved: ${moved.length} of ${amount(judged.length, 'prompt')} that can be compared`,
    ...tableOf(moved.slice(0, rowsMax), 'None beyond chance.', {
      PROMPT: ({ prompt }) => prompt,
      RATE: rateWords,
      CHANGE: (row) => changeWords(row.rate_change, row.rate_verdict),
    }),
  };
}

function lostTable({ lost }: PeriodReport, rowsMax: number): Table {
  return {
    title: `Prompts lost to a competitor beyond chance: ${lost.length}`,
    ...tableOf(lost.slice(0, rowsMax), 'None.', {
      PROMPT: ({ prompt }) => prompt,
      BRAND: ({ brand }) => rateWords(brand),
      LEADER: ({ leader }) => `${leader.name}: ${rateWords(leader)}`,
    }),
  };
}

function topicTable({ topics }: PeriodReport, rowsMax: number): Table {
  const ofMarket = topics.filter(({ isOutsideMarket }) => !isOutsideMarket);
  const lost = ofMarket.filter(({ isLost }) => isLost);
  return {
    title: `Topics lost to a competitor beyond chance: ${lost.length} of ${ofMarket.length}`,
    ...tableOf(lost.slice(0, rowsMax), 'None.', {
      TOPIC: ({ topic }) => topic,
      PROMPTS: ({ prompts }) => prompts,
      BRAND: ({ brand }) => brand && rateWords(brand),
      LEADER: ({ rival }) => rival && `${rival.name}: ${rateWords(rival)}`,
    }),
  };
}

/** A table of imported scores. */
function importedScoreTable(scores: readonly ScoresOfEngine[]): Table {
  return {
    title: 'Imported scores',
    ...tableOf(scores, '', {
      ENGINE: ({ engine }) => engine,
      DAYS: (row) => row.days,
      'BRAND CITED IN': ({ citations, total_runs: runs }) =>
        runs === 0 ? null : `${percent(citations / runs)} of ${amount(runs, 'answer')}`,
    }),
  };
}

/** Tables of crawlers in the period, and of open actions. */
function siteTables(
  { crawls }: PeriodReport,
  actions: readonly ActionRow[],
  { rowsMax, noHits }: { rowsMax: number; noHits: string },
): Table[] {
  return [
    {
      ...crawlTable(crawls.slice(0, rowsMax), 'bot'),
      title: 'AI crawlers, most refused first',
      none: noHits,
    },
    {
      title: `Open actions: ${actions.length}`,
      ...tableOf(actions.slice(0, rowsMax), 'None.', {
        ID: ({ id }) => id.slice(0, 8),
        IMPACT: (action) => impactWord(action.impact_score),
        RECOMMENDATION: ({ recommendation }) => firstClause(recommendation),
      }),
    },
  ];
}

/** The first clause of a recommendation: what to do and why. `actions explain` shows the rest. */
function firstClause(recommendation: string): string {
  const end = recommendation.indexOf('; ');
  return end === -1 ? recommendation : `${recommendation.slice(0, end)} …`;
}
