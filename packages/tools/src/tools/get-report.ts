import { limits, report, reportRow } from '@overheard/contract';
import type { ReportRow } from '@overheard/contract';
import { apiNotes } from '../text/engines.ts';
import { shortText } from '../text/short-text.ts';
import type { ToolRow } from './tool-row.ts';
import { defineTool } from './tool.ts';

export const getReport = defineTool({
  name: 'get_report',
  title: 'How the brand is doing, on one page',
  description: `Answers "how are we doing?", "which topics do we lose?": over a period (default the last ${limits.periodDays} days), what is sure in sentences (\`story\`), the brand in apps and APIs apart (\`surfaces\`), it and competitors, each engine, prompts \`lost\` to a competitor, \`topics\` (lost first), prompts that \`moved\`, the top \`gaps\` with steps, and what keeps AI crawlers out (\`crawlers\`). Say the story first: it judges all comparisons together: where it is not sure, nothing is. rate_before and rate_compared are of the same runs_compared; share of voice has its verdict in get_shares. One subject, prompt or week: get_shares.`,
  endpoint: report,
  filters: [],
  emptyBecause: 'nothing: a report always has its one object.',
  isWhole: () => true,
  shape: (row) => fitReport(row).lines,
  isEmpty: (row) => !hasAnswers(row),
  summarise: (rows) =>
    rows.flatMap((row) => [
      ...(hasAnswers(row) ? [] : ['Imported scores, if there are any, are in get_scores.']),
      ...fitReport(row).notes,
    ]),
});

function hasAnswers({ surfaces }: Pick<ReportRow, 'surfaces'>): boolean {
  return surfaces.some(({ runs }) => runs > 0);
}

/** Weight of the lines, as in `weightOf`, so that a result with its notes has fewer than 2,000 tokens. */
const weightMax = 4500;
/** Bytes of a text, and the shorter limits for scripts of many tokens a letter. */
const textBytes = [160, 90, 50] as const;

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
  | 'moved'
  | 'lost'
  | 'topics'
  | 'addresses'
  | 'crawlers'
  | 'steps'
  | 'subjects'
  | 'engines'
  | 'not_compared',
  number
>;

/**
 * What is dropped until a report fits, in this order, and what remains: movers after five, lost prompts
 * after five, addresses of prompts that did not move, topics after five. The others are for very long texts or many names.
 */
const dropped: ReadonlyArray<readonly [part: keyof Cut, least: number]> = [
  ['moved', 5],
  ['lost', 5],
  ['addresses', 0],
  ['topics', 5],
  ['crawlers', 1],
  ['steps', 1],
  ['subjects', 4],
  ['not_compared', 6],
  ['engines', 4],
  ['topics', 3],
  ['moved', 1],
  ['lost', 1],
];

/** The lines of a report for a model, cut until they fit, and notes of what is left out. */
export function fitReport(row: ToolRow): { lines: readonly ToolRow[]; notes: readonly string[] } {
  // A report that an older version published has no stances.
  const whole = reportRow.parse({ stances: null, ...row });
  const { moved, lost, subjects, engines } = whole;
  const all: Cut = {
    moved: moved.length,
    lost: lost.length,
    topics: whole.topics.length,
    addresses: 1,
    crawlers: whole.crawlers.length,
    steps: 3,
    subjects: subjects.length,
    engines: engines.length,
    not_compared: notCompared(whole).length,
  };
  for (const textBytesMax of textBytes) {
    const cut = { ...all };
    for (const [part, least] of dropped) {
      while (cut[part] > least && !doesFit(cut)) cut[part]--;
    }
    if (doesFit(cut) || textBytesMax === textBytes.at(-1)) {
      const notes = [addressNote, gapNote, ...cutNotes(all, cut), ...engineNotes(cut)];
      return { lines: linesOf(whole, cut, textBytesMax), notes };
    }

    function doesFit(tried: Cut): boolean {
      const lines = linesOf(whole, tried, textBytesMax);
      return weightOf(JSON.stringify([lines, engineNotes(tried)])) <= weightMax;
    }
  }
  throw new Error('No limit for texts');

  function engineNotes(cut: Cut): string[] {
    return apiNotes(engines.slice(0, cut.engines).map(({ engine }) => engine));
  }
}

/** The API gives this many at most, so there may be more. */
const mostOfApi: Partial<Cut> = {
  moved: limits.reportPromptsMax,
  lost: limits.reportPromptsMax,
  topics: limits.reportPromptsMax,
  subjects: limits.reportSubjectsMax,
};

function cutNotes(all: Cut, cut: Cut): string[] {
  const parts = dropped.map(([part]) => part);
  const words = [...new Set(parts)].flatMap((part) => {
    const isCutByApi = all[part] === mostOfApi[part];
    if (cut[part] === all[part] && !isCutByApi) return [];
    if (part === 'addresses') return ['addresses of rows that did not move'];
    return [`${part} after the first ${cut[part]}${isCutByApi ? '' : ` of ${all[part]}`}`];
  });
  return words.length === 0
    ? []
    : [
        `Left out to keep this short: ${words.join('; ')}. get_shares has all subjects, engines and, by prompt or topic, prompts and topics.`,
      ];
}

const addressNote =
  'Paths such as /w/acme/p/0b8f are pages of this Overheard server, for members of the workspace.';

const gapNote = 'Gaps are those open now, whatever the period.';

function linesOf(whole: ReportRow, cut: Cut, textBytesMax: number): ToolRow[] {
  const short = (text: string) => shortText(text, textBytesMax);
  const shortStep = (text: string) => shortText(text, textBytesMax * 1.25);
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
        return [
          short(row.prompt),
          row.runs,
          row.cited,
          short(row.leader),
          row.leader_cited,
          ...pages,
        ];
      }),
    },
    {
      columns: [...promptColumns, 'rate_before', 'rate_compared', 'rate_verdict', 'page'],
      moved: whole.moved
        .slice(0, cut.moved)
        .map((row) => [
          short(row.prompt),
          row.runs,
          row.cited,
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
          steps: steps.slice(0, cut.steps).map((step) => shortStep(step)),
          page: address,
        }),
      ),
    },
    {
      crawlers: whole.crawlers.slice(0, cut.crawlers).map(({ since, sentence, cure }) => ({
        since,
        says: shortStep(sentence),
        fix: shortStep(cure),
      })),
    },
    ...(whole.topics.length === 0
      ? []
      : [
          {
            columns: ['topic', 'prompts', 'runs', 'cited', 'leader', 'leader_cited', 'is_lost'],
            topics: whole.topics
              .slice(0, cut.topics)
              .map((row) => [
                short(row.topic),
                row.prompts,
                row.runs,
                row.cited,
                row.leader === null ? null : short(row.leader),
                row.leader_cited,
                row.is_lost,
              ]),
          },
        ]),
    ...presentedLines(whole.stances, short),
    { not_compared: notCompared(whole).slice(0, cut.not_compared) },
  ];
}

/** How answers present the brand and two competitors; get_stances has more. */
function presentedLines(rows: ReportRow['stances'], short: (text: string) => string): ToolRow[] {
  if (rows === null) return [];
  return [
    {
      columns: ['name', 'judged', 'recommended_rate', 'recommended_share', 'advised_against'],
      stances: rows
        .slice(0, presentedMax)
        .map((row) => [
          short(row.name),
          row.cited,
          row.recommended_rate,
          row.recommended_share,
          row.advised_against,
        ]),
    },
  ];
}

const presentedMax = 3;

const promptColumns = ['prompt', 'runs', 'cited'];

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

/**
 * The tokens of a text, in bytes of English JSON. A letter of a script that tokenizers learn little
 * of takes up to three tokens.
 */
function weightOf(text: string): number {
  const rare = text.match(rareLetters)?.length ?? 0;
  const middle = text.match(middleLetters)?.length ?? 0;
  return Buffer.byteLength(text) + rare * 5 + middle * 1.5;
}

const middleLetters = /[\u0370-\u07ff]/gu;
const rareLetters =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{P}])[\u0800-\u{10ffff}]/gu;
