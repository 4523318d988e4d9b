import type { ShareRow } from '@overheard/contract';
import { expect, test } from 'vitest';
import type { JudgedRow } from '../shares/share-rows.ts';
import { storyText } from './sentences.ts';
import { tellStory } from './story.ts';
import type { StoryFacts } from './story.ts';

const id = '0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00';

/** A row of a brand in 100 answers to 20 prompts. Without a chance, its change is unknown. */
function judged(
  name: string,
  { before = 0.4, now = 0.4, chance, ...row }: Partial<ShareRow> & Figures,
): JudgedRow {
  const change = now - before;
  const isMoved = chance !== undefined && chance < 0.05;
  const verdict = !isMoved ? 'within_chance' : change > 0 ? 'up' : 'down';
  return {
    chance,
    row: {
      subject_id: id,
      subject_type: 'brand',
      name,
      engine: null,
      prompt_id: null,
      locale: null,
      from: '2026-10-24',
      to: '2026-11-20',
      runs: 100,
      prompts: 20,
      cited: 100 * now,
      named: 0,
      linked: 0,
      rate: now,
      rate_low: null,
      rate_high: null,
      sov: null,
      sov_low: null,
      sov_high: null,
      rank_mean: null,
      prompts_compared: 20,
      rate_change: change,
      rate_detectable: null,
      rate_verdict: verdict,
      sov_change: null,
      sov_detectable: null,
      sov_verdict: 'too_few',
      runs_compared: 100,
      rate_before: before,
      rate_compared: now,
      mentions: 0,
      cited_without_brand: 0,
      runs_tracked: 100,
      prompt: null,
      refused: null,
      empty: null,
      failed: null,
      not_compared: null,
      tag: null,
      search_unknown: null,
      ...row,
    },
  };
}

interface Figures {
  readonly before?: number;
  readonly now?: number;
  readonly chance?: number;
}

const sure = 0.0001;

function facts(parts: Partial<StoryFacts>): StoryFacts {
  return {
    from: '2026-10-24',
    to: '2026-11-20',
    head: 'app',
    total: [judged('Acme', { chance: 0.6 })],
    engines: [],
    prompts: [],
    lead: undefined,
    firstDay: '2026-08-01',
    ...parts,
  };
}

function on(engine: string, figures: Figures & { readonly runs?: number }): JudgedRow {
  return judged('Acme', { engine, ...figures });
}

test('the engine with the largest change times its answers comes first, then what offsets it, then the lead', () => {
  const story = tellStory(
    facts({
      engines: [
        on('chatgpt', { before: 0.45, now: 0.58, chance: sure }),
        on('claude', { before: 0.41, now: 0.56, chance: sure }),
        on('gemini', { before: 0.1, now: 0.5, chance: sure, runs: 10 }),
        on('perplexity', { before: 0.65, now: 0.31, chance: sure }),
        on('openai_api', { before: 0.9, now: 0.1, chance: sure }),
      ],
      lead: {
        rival: 'Globex',
        comparison: { change: -0.14, chance: 0.01, detectable: 0.1, verdict: 'down' },
      },
    }),
  );
  expect(storyText(story)).toBe(
    'Perplexity now shows Acme in half as many answers: 31 %, from 65 %. Claude, ChatGPT and Gemini rose by 15, 13 and 40 points. Overall there is no real change. Globex leads by 14 points.',
  );
  expect(story.fallen).toBe('perplexity');
  expect(story.headline.map(({ tone }) => tone)).toEqual(['plain', 'down', 'plain']);
  expect(story.lines[0]?.[0]).toEqual({ text: 'Claude, ChatGPT and Gemini rose', tone: 'up' });
});

test('the total comes before engines, an engine before rivals, and a rival before prompts', () => {
  const total = judged('Acme', { before: 0.5, now: 0.4, chance: sure });
  const rival = judged('Globex', {
    before: 0.3,
    now: 0.4,
    chance: sure,
    subject_type: 'competitor',
  });
  const engine = on('gemini', { before: 0.5, now: 0.4, chance: sure });
  const quiet = judged('Acme', { chance: 0.6 });
  const prompt = judged('Acme', { before: 0.2, now: 0.9, chance: sure, prompt: 'Which tool?' });
  const engines = [engine, on('chatgpt', { chance: 0.7 })];
  const headline = (parts: Partial<StoryFacts>) =>
    storyText({ headline: tellStory(facts(parts)).headline, lines: [] });
  expect(headline({ total: [total, rival], engines, prompts: [prompt] })).toBe(
    'Acme fell from 50 % to 40 % of answers.',
  );
  expect(headline({ total: [quiet, rival], engines, prompts: [prompt] })).toBe(
    'On Gemini, Acme fell from 50 % to 40 % of answers.',
  );
  expect(headline({ total: [quiet, rival], prompts: [prompt] })).toBe(
    'Globex rose from 30 % to 40 % of answers.',
  );
  expect(headline({ prompts: [prompt] })).toBe(
    'For “Which tool?”, Acme rose from 20 % to 90 % of answers.',
  );
});

test('a hostile prompt in a story is cut, and cannot act on a terminal or turn the direction of reading', () => {
  const prompt = `Which\u001b[2J \u202etool?${'x'.repeat(100_000)}`;
  const moved = judged('Acme', { before: 0.2, now: 0.9, chance: sure, prompt });
  const text = storyText(tellStory(facts({ prompts: [moved] })));
  expect(text.length).toBeLessThan(250);
  expect(text).not.toContain('\u001b');
  expect(text).not.toContain('\u202e');
  expect(text).toContain('Acme rose from 20 % to 90 % of answers.');
});

test('a change that is up at 95 % and not sure at 99 % is not named', () => {
  const story = tellStory(facts({ total: [judged('Acme', { now: 0.5, chance: 0.03 })] }));
  expect(story.kind).toBe('unsure');
  expect(storyText(story)).toBe(
    'No sure change in these 4 weeks. 1 of 1 comparison moved, which is not enough to be sure.',
  );
});

test('too little says how many prompts and days are missing, and periods that differ say so', () => {
  const few = judged('Acme', { rate_verdict: 'too_few', prompts: 6, prompts_compared: 0 });
  const story = tellStory(facts({ total: [few], firstDay: '2026-11-10' }));
  expect(story).toMatchObject({
    kind: 'too_little',
    missing: { answers: 0, prompts: 4, days: 45 },
  });
  expect(storyText(story)).toBe(
    'Too little to compare yet: 4 more prompts and 45 more days of answers are needed.',
  );
  const past = tellStory(facts({ total: [few], firstDay: '2026-11-10', lastDay: '2027-01-31' }));
  expect(storyText(past)).toMatch(
    /^Too little to compare: these .* and the time before share 0 prompts, and 10 are needed\.$/,
  );
  expect(past.missing).toMatchObject({ days: 0 });
  const long = facts({ from: '2026-06-01', total: [few], firstDay: '2026-10-10' });
  expect(storyText(tellStory(long))).toBe(
    'Too little to compare: the first answers are of 2026-10-10, so choose a shorter period.',
  );
  expect(tellStory(facts({ total: [] })).missing).toEqual({ answers: 1, prompts: 10, days: 0 });
  const other = judged('Acme', { rate_verdict: 'not_comparable' });
  expect(storyText(tellStory(facts({ total: [other] })))).toBe(
    'These 4 weeks cannot be compared with the time before.',
  );
});
