import type { ReportRow } from '@overheard/contract';

/** The report of a workspace with many lists, which a model gets shortened. */
export function reportRow({ prompts = 12, topics = 0 } = {}): ReportRow {
  const figures = {
    runs: 280,
    cited: 84,
    rate: 0.3,
    rate_low: 0.2431,
    rate_high: 0.3641,
    mentions: 252,
    sov: 0.3333,
    runs_compared: 270,
    rate_before: 0.2,
    rate_compared: 0.3037,
    rate_verdict: 'up' as const,
    not_compared: null,
  };
  const listed = Array.from({ length: prompts }, (_, index) => ({
    prompt_id: `a0000000-0000-5000-8000-${String(index).padStart(12, '0')}`,
    prompt: `Which CRM suits agency ${index} that has many customers?`,
    ...figures,
    address: `/w/acme/p/a${String(index).padStart(3, '0')}`,
  }));
  return {
    from: '2026-10-24',
    to: '2026-11-20',
    before_from: '2026-09-26',
    before_to: '2026-10-23',
    story: ['Acme rose from 20 % to 30 % of answers.', 'Globex leads by 14 points.'],
    surfaces: [
      { surface: 'app', ...figures, not_compared: 'gemini: 10 now and 0 before (new engine)' },
      { surface: 'api', ...figures, runs: 40 },
    ],
    subjects: ['Acme', 'Globex', 'Initech', 'Umbra', 'Hooli', 'Zorin'].map((name) => ({
      name,
      type: name === 'Acme' ? ('brand' as const) : ('competitor' as const),
      ...figures,
    })),
    engines: ['chatgpt', 'perplexity', 'gemini', 'claude', 'chatgpt_api'].map((engine) => ({
      engine,
      ...figures,
      refused: 1,
      empty: 0,
      failed: 2,
    })),
    lost: listed.map((row) => ({
      ...row,
      rate_verdict: 'within_chance' as const,
      leader: 'Globex',
      leader_cited: 200,
      answer: '/w/acme/a/c000',
    })),
    moved: listed,
    gaps: [0, 1, 2].map((index) => ({
      id: `ac000000-0000-5000-8000-00000000000${index}`,
      recommendation: `Get cited for "Which CRM suits agency ${index}?": cited in 0 of 12 runs.`,
      priority: 'high' as const,
      impact_score: 90 - index,
      steps: ['Get Acme onto the pages that answers cite: g2.com/crm (8).', 'Write a page.'],
      address: `/w/acme/g/ac0${index}`,
    })),
    crawlers: ['OAI-SearchBot', 'PerplexityBot', 'Claude-SearchBot'].map((name) => ({
      kind: 'refused' as const,
      bot_name: name,
      since: '2026-11-15',
      requests: 84,
      sentence: `${name} has been refused since 15 November: 84 of 84 requests.`,
      cure: `Let ${name} in where your site refuses it.`,
    })),
    topics: Array.from({ length: topics }, (_, index) => ({
      topic: `Agencies of kind ${index}`,
      prompts: 4,
      ...figures,
      leader: 'Globex',
      leader_cited: 200,
      is_lost: index < 3,
    })),
    gap_topics: [],
    stances: null,
  };
}
