import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './all-endpoints.ts';

/** Written again by hand, so that nobody changes the contract by accident. `?` may be null. */
const contract = {
  '/api/v1/scores': 'scores: date engine citations total_runs sov',
  '/api/v1/prompts?prompt_id&active&search&cursor':
    'prompts: id text language locale active created_at',
  '/api/v1/actions?status':
    'actions: id prompt_id? recommendation priority status impact_score? sov_baseline? sov_result? created_at',
  '/api/v1/agent-hits?from&to&cursor':
    'hits: bot_name bot_company category path method status? verification hit_at',
  '/api/v1/detections?prompt_id&from&to&cursor':
    'detections: run_id subject_type subject_id? cited position? rank? sentiment? engine run_at',
  '/api/v1/subjects': 'subjects: id type name aliases domains archived_at?',
  '/api/v1/shares?by&competitor_prompts&from&to&engine&locale&prompt_id&surface&tag&searched&limit&against':
    'shares: subject_id subject_type name engine? prompt_id? locale? from to runs prompts cited named linked rate? rate_low? rate_high? sov? sov_low? sov_high? rank_mean? prompts_compared rate_change? rate_detectable? rate_verdict sov_change? sov_detectable? sov_verdict runs_compared rate_before? rate_compared? mentions cited_without_brand runs_tracked prompt? refused? empty? failed? not_compared? tag? search_unknown?',
  '/api/v1/sources?by&from&to&engine&locale&prompt_id&surface&tag':
    'sources: site url? title? owner owner_id? runs share brand_runs competitor_runs gap_runs first_cited_at last_cited_at last_crawled_at? kind',
  '/api/v1/answers?run_id&subject_id&cited&from&to&engine&locale&prompt_id&surface&tag&stance&limit&cursor':
    'answers: run_id prompt_id prompt branded names_competitor engine model? cohort locale run_at outcome text sources cited links queries?',
  '/api/v1/crawls?by&from&to&host&bot_name':
    'crawls: bot_name? bot_company? category? host? path? date? verified spoofed unverified ok redirected refused failed first_at last_at',
  '/api/v1/changes?since': 'changes: kind date',
  '/api/v1/report?tag&from&to':
    'report: from to before_from before_to story surfaces subjects engines lost moved gaps crawlers topics gap_topics stances?',
  '/api/v1/searches?from&to&engine&locale&prompt_id&surface&tag':
    'searches: query engines runs prompts brand_runs competitor_runs gap_runs sites first_searched_at last_searched_at',
  '/api/v1/reports?id&recount':
    'reports: id from to tag? published_at sha256? surfaces recount? report? subjects? counted? revision? page?',
  '/api/v1/stances?by&from&to&engine&locale&prompt_id&surface&tag&limit':
    'stances: subject_id subject_type name engine? prompt_id? tag? purpose? from to runs cited first_choice? recommended_for? also? plain? mixed? advised_against? unknown_to_engine void recommended_rate? recommended_rate_low? recommended_rate_high? recommended_share? recommended_share_low? recommended_share_high? kappa? kappa_low? kappa_high? labels judge quotes',
};

const values = {
  priority: ['high', 'medium', 'low'],
  'actions.status': ['open', 'in_progress', 'done', 'dismissed'],
  category: ['crawler', 'search', 'user'],
  verification: ['verified', 'spoofed', 'unverified'],
  subject_type: ['brand', 'competitor'],
  type: ['brand', 'competitor'],
  sentiment: ['positive', 'neutral', 'negative'],
};

test('paths, parameters, arrays, fields, their order and what may be null are those of v1', () => {
  const written = endpoints.map(({ path, query, array, row }) => {
    const parameters = Object.keys(query.shape);
    const fields = Object.entries(row.shape).map(
      ([name, field]) => name + (field.safeParse(null).success ? '?' : ''),
    );
    const target = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
    return [target, `${array}: ${fields.join(' ')}`];
  });
  expect(written).toEqual(Object.entries(contract));
});

test('prompts and agent hits have at most 500 rows, answers 200, published reports 100, other reports 1,000, the others no such bound', () => {
  const bounds = endpoints.map(({ name, rowsMax }: Endpoint) => [name, rowsMax]);
  expect(Object.fromEntries(bounds)).toEqual({
    prompts: 500,
    'agent-hits': 500,
    shares: 1000,
    sources: 1000,
    answers: 200,
    crawls: 1000,
    changes: 1000,
    searches: 1000,
    reports: 100,
    stances: 1000,
  });
});

test('the fields of a descriptor are those of its row, in its order', () => {
  for (const { fields, row } of endpoints) expect(fields).toEqual(Object.keys(row.shape));
});

test.each(Object.entries(values))('%s takes exactly its values', (name, expected) => {
  const [field = '', array] = name.split('.').toReversed();
  const found = endpoints
    .filter((endpoint) => array === undefined || endpoint.array === array)
    .flatMap(({ row }) => Object.entries(row.shape))
    .find(([key]) => key === field)?.[1];
  for (const value of expected) expect(found?.safeParse(value).success, value).toBe(true);
  for (const value of ['', expected.join(), expected[0]?.toUpperCase(), 1]) {
    expect(found?.safeParse(value).success, String(value)).toBe(false);
  }
});

test('a row with a field too many, or one too few, is not a row', () => {
  for (const { row } of endpoints) {
    const example = Object.fromEntries(
      Object.entries(row.shape).map(([name, field]) => [name, field.meta()?.examples?.[0]]),
    );
    expect(row.safeParse(example).success).toBe(true);
    expect(row.safeParse({ ...example, more: 1 }).success).toBe(false);
    for (const name of Object.keys(example)) {
      const { [name]: _left, ...fewer } = example;
      expect(row.safeParse(fewer).success, name).toBe(false);
    }
  }
});
