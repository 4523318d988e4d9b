import type { ActionRow } from '@overheard/contract';
import type { PeriodReport, ScoresOfEngine } from '../../../reports/period-report.ts';
import { impactWord } from '../../../answers/actions/impact.ts';
import { amount } from '../../../values/plural.ts';
import { tableOf } from '../../define/table-of.ts';
import type { Table } from '../../terminal/print.ts';
import { crawlTable, shareTables, sourceTable } from '../../words/report-words.ts';
import { changeWords, percent, rateWords } from '../../../values/figure-words.ts';

/** The tables of runs: at most `rowsMax` prompts and sources each. */
export function runTables(report: PeriodReport, { rowsMax }: { rowsMax: number }): Table[] {
  const { subjects, engines, sources, runs } = report;
  return [
    ...shareTables(subjects, { by: 'total' }),
    ...shareTables(engines, { by: 'engine', subject: subjects[0]?.name }),
    movedTable(report, rowsMax),
    lostTable(report, rowsMax),
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
    ...tableOf(
      moved.slice(0, rowsMax),
      {
        PROMPT: ({ prompt }) => prompt,
        RATE: rateWords,
        CHANGE: (row) => changeWords(row.rate_change, row.rate_verdict),
      },
      'None beyond chance.',
    ),
  };
}

function lostTable({ lost }: PeriodReport, rowsMax: number): Table {
  return {
    title: `Prompts lost to a competitor beyond chance: ${lost.length}`,
    ...tableOf(
      lost.slice(0, rowsMax),
      {
        PROMPT: ({ prompt }) => prompt,
        BRAND: ({ brand }) => rateWords(brand),
        LEADER: ({ leader }) => `${leader.name}: ${rateWords(leader)}`,
      },
      'None.',
    ),
  };
}

/** A table of imported scores. */
export function importedScoreTable(scores: readonly ScoresOfEngine[]): Table {
  return {
    title: 'Imported scores',
    ...tableOf(
      scores,
      {
        ENGINE: ({ engine }) => engine,
        DAYS: ({ days }) => days,
        'BRAND CITED IN': ({ citations, total_runs: runs }) =>
          runs === 0 ? null : `${percent(citations / runs)} of ${amount(runs, 'answer')}`,
      },
      '',
    ),
  };
}

/** Tables of crawlers in the period, and of open actions. */
export function siteTables(
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
      ...tableOf(
        actions.slice(0, rowsMax),
        {
          ID: ({ id }) => id.slice(0, 8),
          IMPACT: (action) => impactWord(action.impact_score),
          RECOMMENDATION: ({ recommendation }) => firstClause(recommendation),
        },
        'None.',
      ),
    },
  ];
}

/** The first clause of a recommendation: what to do and why. `actions explain` shows the rest. */
function firstClause(recommendation: string): string {
  const end = recommendation.indexOf('; ');
  return end === -1 ? recommendation : `${recommendation.slice(0, end)} …`;
}
