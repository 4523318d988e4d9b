import { limits, report, reportRow } from '@overheard/contract';
import type { ReportRow } from '@overheard/contract';
import { apiNotes } from '../text/engines.ts';
import { shortText } from '../text/short-text.ts';
import type { ToolRow } from './tool-row.ts';
import { defineTool } from './tool.ts';

export const getReport = defineTool({
  name: 'get_report',
  title: 'How the brand is doing, on one page',
  description: `The one answer to "how are we doing?", "are we gaining?": over a period (default the last ${limits.periodDays} days), what is sure in sentences (\`story\`), the brand in apps and APIs apart (\`surfaces\`), it and competitors, each engine, prompts \`lost\` to a competitor, prompts that \`moved\`, the top \`gaps\` with steps, and what keeps AI crawlers out (\`crawlers\`). Say the story first. Only up and down are changes; rate_before and rate_compared are of the same runs_compared. Addresses are pages of this server that prove a row. One subject, locale, prompt or week: get_shares.`,
  endpoint: report,
  filters: [],
  emptyBecause: 'nothing: a report always has its one object.',
  isWhole: () => true,
  shape: (row) => fitReport(row).lines,
  summarise: (rows) =>
    rows.flatMap((row) => [
      ...fitReport(row).notes,
      ...apiNotes(row.engines.map(({ engine }) => engine)),
    ]),
});

/** Bytes of the lines, so that a result with its notes has fewer than 2,000 tokens. */
const bytesMax = 4400;
const textBytesMax = 160;
const stepBytesMax = 200;

const figureNames = [
  'runs',
  'cited',
  'rate',
  'rate_low',
  'rate_high',
  'mentions',
  'sov',
  'runs_compared',
  'rate_before',
  'rate_compared',
  'rate_verdict',
] as const;

type Figures = ReportRow['subjects'][number] | ReportRow['engines'][number];

/** How much of each part of a report is shown. */
type Cut = Record<
  'moved' | 'lost' | 'addresses' | 'crawlers' | 'steps' | 'subjects' | 'engines' | 'not_compared',
  number
>;

/**
 * What is dropped until a report fits, in this order, and what remains: movers after five, lost prompts
 * after five, addresses of prompts that did not move. The others are for very long texts or many names.
 */
const dropped: ReadonlyArray<readonly [part: keyof Cut, least: number]> = [
  ['moved', 5],
  ['lost', 5],
  ['addresses', 0],
  ['crawlers', 1],
  ['steps', 1],
  ['subjects', 4],
  ['not_compared', 6],
  ['engines', 4],
  ['moved', 1],
  ['lost', 1],
];

/** The lines of a report for a model, cut until they fit, and notes of what is left out. */
function fitReport(row: ToolRow): { lines: readonly ToolRow[]; notes: readonly string[] } {
  const whole = reportRow.parse(row);
  const { moved, lost, subjects, engines } = whole;
  const all: Cut = {
    moved: moved.length,
    lost: lost.length,
    addresses: 1,
    crawlers: whole.crawlers.length,
    steps: 3,
    subjects: subjects.length,
    engines: engines.length,
    not_compared: notCompared(whole).length,
  };
  const cut = { ...all };
  for (const [part, least] of dropped) {
    while (cut[part] > least && bytesOf(linesOf(whole, cut)) > bytesMax) cut[part]--;
  }
  return { lines: linesOf(whole, cut), notes: [addressNote, gapNote, ...cutNotes(all, cut)] };
}

function cutNotes(all: Cut, cut: Cut): string[] {
  const parts = dropped.map(([part]) => part);
  const words = [...new Set(parts)].flatMap((part) => {
    if (cut[part] === all[part]) return [];
    if (part === 'addresses') return ['addresses of rows that did not move'];
    return [`${part} after the first ${cut[part]} of ${all[part]}`];
  });
  return words.length === 0
    ? []
    : [`Left out to keep this short: ${words.join('; ')}. get_shares by prompt has all prompts.`];
}

const addressNote =
  'Paths such as /w/acme/p/0b8f are pages of this Overheard server, for members of the workspace.';

const gapNote = 'Gaps are those open now, whatever the period.';

function linesOf(whole: ReportRow, cut: Cut): ToolRow[] {
  const { from, to, before_from: beforeFrom, before_to: beforeTo, story } = whole;
  return [
    { from, to, before_from: beforeFrom, before_to: beforeTo, story: story.map(short) },
    {
      columns: ['surface', ...figureNames],
      surfaces: whole.surfaces.map((row) => [row.surface, ...figuresOf(row)]),
    },
    {
      columns: ['name', ...figureNames],
      subjects: whole.subjects
        .slice(0, cut.subjects)
        .map((row) => [short(row.name), ...figuresOf(row)]),
    },
    {
      columns: ['engine', ...figureNames, 'refused', 'empty', 'failed'],
      engines: whole.engines
        .slice(0, cut.engines)
        .map((row) => [row.engine, ...figuresOf(row), row.refused, row.empty, row.failed]),
    },
    {
      columns: [...promptColumns, 'leader', 'leader_cited', 'page', 'answer'],
      lost: whole.lost.slice(0, cut.lost).map((row) => {
        const hasAddress = cut.addresses > 0 || isMoved(row);
        const pages = hasAddress ? [row.address, row.answer] : [];
        return [...promptOf(row), short(row.leader), row.leader_cited, ...pages];
      }),
    },
    {
      columns: [...promptColumns, 'rate_before', 'rate_compared', 'rate_verdict', 'page'],
      moved: whole.moved
        .slice(0, cut.moved)
        .map((row) => [
          ...promptOf(row),
          row.rate_before,
          row.rate_compared,
          row.rate_verdict,
          row.address,
        ]),
    },
    {
      gaps: whole.gaps.map(
        ({ recommendation, priority, impact_score: impact, steps, address }) => ({
          fix: short(recommendation),
          priority,
          impact,
          steps: steps.slice(0, cut.steps).map((step) => shortText(step, stepBytesMax)),
          page: address,
        }),
      ),
    },
    {
      crawlers: whole.crawlers.slice(0, cut.crawlers).map(({ since, sentence, cure }) => ({
        since,
        says: shortText(sentence, stepBytesMax),
        fix: shortText(cure, stepBytesMax),
      })),
    },
    { not_compared: notCompared(whole).slice(0, cut.not_compared) },
  ];
}

const promptColumns = ['prompt', 'runs', 'cited'];

function promptOf({ prompt, runs, cited }: ReportRow['lost'][number] | ReportRow['moved'][number]) {
  return [short(prompt), runs, cited];
}

/** The runs that comparisons leave out, by engine and reason, those with most runs first. */
function notCompared({ surfaces }: ReportRow): string[] {
  return surfaces.flatMap(({ not_compared: why }) => why?.split('; ') ?? []);
}

function figuresOf(row: Figures | ReportRow['surfaces'][number]) {
  return figureNames.map((name) => row[name]);
}

function isMoved({ rate_verdict: verdict }: ReportRow['lost'][number]): boolean {
  return verdict === 'up' || verdict === 'down';
}

function short(text: string): string {
  return shortText(text, textBytesMax);
}

function bytesOf(lines: readonly ToolRow[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(line)), 0);
}
