import type {
  ActionRow,
  ChangeRow,
  DetectionRow,
  HitRow,
  PromptRow,
  PublishedRow,
  ScoreRow,
  ShareRow,
  SubjectRow,
  SearchRow,
} from '@overheard/contract';
import { reportRow } from './report-row.ts';
import { presented, stanceRow } from './stance-row.ts';

const dayMs = 86_400_000;
const today = Date.parse('2026-11-20T06:00:00.000Z');

/** An id that is the same in every run: 8 digits that say what it is, and a number. */
export function idOf(kind: string, index: number): string {
  return `${kind.padEnd(8, '0')}-0000-5000-8000-${String(index).padStart(12, '0')}`;
}

/** Rows of a small workspace, in the contract's order: 60 days of two engines, and all that goes with them. */
export function rowsOfAllKinds() {
  return {
    scores: scoreRows(60),
    prompts: promptRows(40),
    actions: actionRows(12),
    'agent-hits': hitRows(90),
    detections: detectionRows(60),
    subjects: subjectRows,
    shares: shareRows(),
    answers: answerRows(),
    sources: sourceRows(),
    crawls: crawlRows(),
    changes: changeRows(),
    report: [reportRow()],
    searches: searchRows(),
    reports: publishedRows(),
    stances: subjectRows.map(stanceRow),
  };
}

function changeRows(): ChangeRow[] {
  return ['2026-11-18', '2026-11-19', '2026-11-20'].flatMap((date) => [
    { kind: 'detections', date },
    { kind: 'scores', date },
  ]);
}

function publishedRows(): PublishedRow[] {
  return ['10', '09', '08'].map((month, index) => ({
    id: idOf('f', index),
    from: `2026-${month}-01`,
    to: `2026-${month}-30`,
    tag: null,
    published_at: `2026-11-01T00:0${index}:00.000Z`,
    sha256: 'ab'.repeat(32),
    surfaces: [{ surface: 'app', runs: 280, cited: 84, rate: 0.3 }],
    recount: null,
    report: null,
    subjects: null,
    counted: null,
    revision: null,
    page: null,
  }));
}

/** Scores of two engines: chatgpt gains from 25 % to 50 %, perplexity stays. */
export function scoreRows(days: number): ScoreRow[] {
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(today - index * dayMs).toISOString().slice(0, 10);
    const citations = index < 28 ? 20 : 10;
    return [
      { date, engine: 'chatgpt', citations, total_runs: 40, sov: 0.25 },
      { date, engine: 'perplexity', citations: 4, total_runs: 40, sov: 0.1 },
    ];
  }).flat();
}

export function promptRows(count: number): PromptRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf('a', index),
    text:
      index % 2 === 0
        ? `Which CRM suits agency ${index}?`
        : `Welches CRM passt zu Agentur ${index}?`,
    language: index % 2 === 0 ? 'en' : 'de',
    locale: index % 2 === 0 ? 'en-US' : 'de-DE',
    active: index % 4 !== 3,
    created_at: new Date(today - index * dayMs).toISOString(),
  }));
}

export function actionRows(count: number): ActionRow[] {
  return Array.from({ length: count }, (_, index) => ({
    id: idOf('ac', index),
    prompt_id: index % 3 === 2 ? null : idOf('a', index),
    recommendation: `Publish a comparison page ${index}: perplexity named Globex in 9 of 12 runs.`,
    priority: index < 4 ? 'high' : 'medium',
    status: index % 4 === 0 ? 'done' : 'open',
    impact_score: index < 8 ? 90 - index : null,
    sov_baseline: 0.1,
    sov_result: index % 4 === 0 ? 0.2 : null,
    created_at: new Date(today - index * dayMs).toISOString(),
  }));
}

export function hitRows(count: number): HitRow[] {
  return Array.from({ length: count }, (_, index) => ({
    bot_name: index % 3 === 0 ? 'ClaudeBot' : 'GPTBot',
    bot_company: index % 3 === 0 ? 'Anthropic' : 'OpenAI',
    category: 'crawler',
    path: index % 2 === 0 ? `/blog/${index}` : '/pricing',
    method: 'GET',
    status: index % 10 === 0 ? null : 200,
    verification: index % 5 === 0 ? 'spoofed' : 'verified',
    hit_at: new Date(today - index * 60_000).toISOString(),
  }));
}

/** Three subjects a run; the brand is cited in every third, the first competitor always. */
export function detectionRows(runs: number): DetectionRow[] {
  return Array.from({ length: runs }, (_, index) => {
    const run = {
      run_id: idOf('c', index),
      engine: index % 2 === 0 ? 'chatgpt' : 'perplexity',
      run_at: new Date(today - index * 3_600_000).toISOString(),
    };
    const isBrandCited = index % 3 === 0;
    return [
      detection(run, { type: 'brand', id: idOf('b', 0), rank: isBrandCited ? 2 : null }),
      detection(run, { type: 'competitor', id: idOf('b', 1), rank: 1 }),
      detection(run, { type: 'competitor', id: idOf('b', 2), rank: null }),
    ];
  }).flat();
}

export function answerRows() {
  return Array.from({ length: 6 }, (_, index) => ({
    run_id: idOf('c', index),
    prompt_id: idOf('a', 0),
    prompt: 'Which CRM suits agency 0?',
    branded: false,
    names_competitor: false,
    engine: 'chatgpt',
    model: null,
    cohort: 'x',
    locale: 'en-US',
    run_at: new Date(today - index * 3_600_000).toISOString(),
    outcome: 'answered',
    text: `Globex is the usual choice. </answer> ${'x'.repeat(2000)}`,
    sources: [{ url: 'https://g2.com/crm', title: 'G2', site: 'g2.com', owner: 'other' }],
    cited: [
      {
        subject_id: idOf('b', 1),
        name: 'Globex',
        how: 'named',
        position: 0,
        rank: 1,
        sentence: 'Globex is the usual choice. <b>',
        ...presented,
      },
    ],
    links: [{ url: 'https://g2.com/crm', site: 'g2.com', owner: 'other' }],
    queries: ['best crm'],
  }));
}

function searchRows(): SearchRow[] {
  return ['best crm', 'crm prices', 'crm tests'].map((query, index) => ({
    query,
    engines: ['chatgpt_api'],
    runs: 40 - index,
    prompts: 2,
    brand_runs: 4,
    competitor_runs: 30,
    gap_runs: 27,
    sites: ['g2.com'],
    first_searched_at: '2026-10-24T06:00:00.000Z',
    last_searched_at: '2026-11-20T06:00:00.000Z',
  }));
}

export function sourceRows() {
  return ['g2.com', 'acme.com', 'globex.com'].map((site, index) => ({
    site,
    url: null,
    title: null,
    owner: 'other',
    owner_id: null,
    runs: 90 - index,
    share: 0.3,
    brand_runs: 10,
    competitor_runs: 60,
    gap_runs: 50,
    first_cited_at: '2026-11-01T05:00:00.000Z',
    last_cited_at: '2026-11-20T05:00:00.000Z',
    last_crawled_at: null,
    kind: 'review',
  }));
}

export function crawlRows() {
  return ['GPTBot', 'ClaudeBot', 'PerplexityBot'].map((bot, index) => ({
    bot_name: bot,
    bot_company: 'A company',
    category: 'crawler',
    host: null,
    path: null,
    date: null,
    verified: 800 - index,
    spoofed: 3,
    unverified: 0,
    ok: 790,
    redirected: 0,
    refused: 8,
    failed: 5,
    first_at: '2026-06-02T04:11:09.000Z',
    last_at: '2026-11-20T05:00:00.000Z',
  }));
}

export const subjectRows: readonly SubjectRow[] = ['Acme', 'Globex', 'Initech'].map(
  (name, index) => ({
    id: idOf('b', index),
    type: index === 0 ? 'brand' : 'competitor',
    name,
    aliases: [],
    domains: [`${name.toLowerCase()}.com`],
    archived_at: null,
  }),
);

/** The subjects by week: the brand gains, the others do not. */
export function shareRows(): ShareRow[] {
  return subjectRows.flatMap(({ id, type, name }) =>
    [0, 1].map((week): ShareRow => ({
      subject_id: id,
      subject_type: type,
      name,
      engine: null,
      prompt_id: null,
      locale: null,
      from: week === 0 ? '2026-11-14' : '2026-11-07',
      to: week === 0 ? '2026-11-20' : '2026-11-13',
      runs: 280,
      prompts: 40,
      cited: 84,
      named: 80,
      linked: 20,
      rate: 0.3,
      rate_low: 0.2431,
      rate_high: 0.3641,
      sov: 0.3333,
      sov_low: 0.2811,
      sov_high: 0.3902,
      rank_mean: 1.5,
      prompts_compared: 40,
      rate_change: type === 'brand' ? 0.1 : 0,
      rate_detectable: 0.06,
      rate_verdict: type === 'brand' ? 'up' : 'within_chance',
      sov_change: null,
      sov_detectable: null,
      sov_verdict: 'too_few',
      runs_compared: 280,
      rate_before: type === 'brand' ? 0.2 : 0.3,
      rate_compared: 0.3,
      mentions: 252,
      cited_without_brand: type === 'brand' ? 0 : 60,
      runs_tracked: 280,
      prompt: null,
      refused: null,
      empty: null,
      failed: null,
      not_compared: null,
      tag: null,
      search_unknown: null,
    })),
  );
}

function detection(
  { run_id, engine, run_at }: Pick<DetectionRow, 'run_id' | 'engine' | 'run_at'>,
  { type, id, rank }: { type: DetectionRow['subject_type']; id: string; rank: number | null },
): DetectionRow {
  return {
    run_id,
    subject_type: type,
    subject_id: id,
    cited: rank !== null,
    position: rank === null ? null : rank * 10,
    rank,
    sentiment: rank === null ? null : 'neutral',
    engine,
    run_at,
  };
}
