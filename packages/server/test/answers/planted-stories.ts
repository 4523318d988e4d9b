/**
 * Plans of workspaces: in how many per cent of an engine's answers a subject appears in both
 * periods, and the sentence that a person wrote from this. `planted-answers.ts` makes the answers.
 */

/** Per cent in the time before and now. */
export type Rates = readonly [before: number, now: number];

/** A plan. Keys of rates are `subject` or `subject@engine`, in lower case. */
export interface Plan {
  /** What a person knows who planned it. The data cannot know it. */
  readonly cause?: string;
  readonly rates?: Readonly<Record<string, Rates>>;
  /** Answers to one prompt that cite Acme on each engine, of 4, before and now. */
  readonly prompt?: { readonly number: number; readonly counts: Rates };
  readonly prompts?: number;
  readonly hasNoBefore?: boolean;
  readonly headline: string;
  /** A sentence that must follow. */
  readonly next?: string;
}

/** The engines of every plan. */
export const engines = ['chatgpt', 'claude', 'gemini', 'perplexity'] as const;
const quiet = 'No real change in these 4 weeks.';

/** 25 prompts, 4 engines, 4 answers to each in a period: 100 answers of an engine. */
export const plans: readonly Plan[] = [
  // One engine moves, the others make up for it a little each.
  {
    rates: { 'acme@perplexity': [64, 32], ...others('perplexity', [36, 46]) },
    headline: 'Perplexity now shows Acme in half as many answers: 32 %, from 64 %.',
    next: 'Overall there is no real change.',
  },
  {
    rates: { 'acme@claude': [60, 30], ...others('claude', [36, 46]) },
    headline: 'Claude now shows Acme in half as many answers: 30 %, from 60 %.',
  },
  {
    rates: { 'acme@gemini': [70, 35], ...others('gemini', [30, 41]) },
    headline: 'Gemini now shows Acme in half as many answers: 35 %, from 70 %.',
  },
  {
    rates: { 'acme@chatgpt': [80, 42], ...others('chatgpt', [30, 42]) },
    headline: 'ChatGPT now shows Acme in half as many answers: 42 %, from 80 %.',
  },
  {
    rates: { 'acme@perplexity': [75, 45], ...others('perplexity', [30, 40]) },
    headline: 'On Perplexity, Acme fell from 75 % to 45 % of answers.',
  },
  {
    rates: { 'acme@perplexity': [30, 70], ...others('perplexity', [52, 40]) },
    headline: 'On Perplexity, Acme rose from 30 % to 70 % of answers.',
  },
  {
    rates: { 'acme@claude': [20, 60], ...others('claude', [48, 36]) },
    headline: 'On Claude, Acme rose from 20 % to 60 % of answers.',
  },
  {
    rates: { 'acme@gemini': [0, 36], ...others('gemini', [52, 40]) },
    headline: 'On Gemini, Acme rose from 0 % to 36 % of answers.',
  },
  {
    rates: { 'acme@chatgpt': [40, 0], ...others('chatgpt', [32, 44]) },
    headline: 'On ChatGPT, Acme fell from 40 % to 0 % of answers.',
  },
  {
    rates: { 'acme@gemini': [45, 90], ...others('gemini', [55, 41]) },
    headline: 'On Gemini, Acme rose from 45 % to 90 % of answers.',
  },
  // All engines move.
  {
    rates: { acme: [60, 30] },
    headline: 'Acme now appears in half as many answers: 30 %, from 60 %.',
  },
  {
    rates: { acme: [72, 36] },
    headline: 'Acme now appears in half as many answers: 36 %, from 72 %.',
  },
  { rates: { acme: [60, 40] }, headline: 'Acme fell from 60 % to 40 % of answers.' },
  { rates: { acme: [50, 35] }, headline: 'Acme fell from 50 % to 35 % of answers.' },
  { rates: { acme: [90, 70] }, headline: 'Acme fell from 90 % to 70 % of answers.' },
  { rates: { acme: [20, 40] }, headline: 'Acme rose from 20 % to 40 % of answers.' },
  { rates: { acme: [35, 50] }, headline: 'Acme rose from 35 % to 50 % of answers.' },
  { rates: { acme: [0, 15] }, headline: 'Acme rose from 0 % to 15 % of answers.' },
  { rates: { acme: [8, 24] }, headline: 'Acme rose from 8 % to 24 % of answers.' },
  {
    rates: { 'acme@perplexity': [80, 24], 'acme@claude': [44, 40] },
    headline: 'Acme fell from 51 % to 36 % of answers.',
    next: 'Perplexity fell most, by 56 points.',
  },
  // A rival moves.
  { rates: { globex: [40, 60] }, headline: 'Globex rose from 40 % to 60 % of answers.' },
  { rates: { globex: [70, 50] }, headline: 'Globex fell from 70 % to 50 % of answers.' },
  {
    rates: { globex: [80, 40] },
    headline: 'Globex now appears in half as many answers: 40 %, from 80 %.',
  },
  { rates: { initech: [10, 30] }, headline: 'Initech rose from 10 % to 30 % of answers.' },
  { rates: { initech: [0, 20] }, headline: 'Initech rose from 0 % to 20 % of answers.' },
  {
    rates: { initech: [40, 20] },
    headline: 'Initech now appears in half as many answers: 20 %, from 40 %.',
  },
  // One prompt moves, which the total hardly shows.
  {
    prompt: { number: 3, counts: [4, 0] },
    headline: 'For “Which tool suits team 3?”, Acme fell from 100 % to 0 % of answers.',
  },
  {
    prompt: { number: 7, counts: [0, 4] },
    headline: 'For “Which tool suits team 7?”, Acme rose from 0 % to 100 % of answers.',
  },
  {
    prompt: { number: 11, counts: [0, 3] },
    headline: 'For “Which tool suits team 11?”, Acme rose from 0 % to 75 % of answers.',
  },
  {
    prompt: { number: 20, counts: [3, 0] },
    headline: 'For “Which tool suits team 20?”, Acme fell from 75 % to 0 % of answers.',
  },
  // Two causes at once.
  {
    rates: {
      'acme@perplexity': [65, 31],
      'acme@chatgpt': [42, 60],
      'acme@claude': [42, 60],
      'acme@gemini': [40, 38],
    },
    headline: 'Perplexity now shows Acme in half as many answers: 31 %, from 65 %.',
    next: 'ChatGPT and Claude rose by 18 and 18 points.',
  },
  {
    rates: { acme: [60, 40], globex: [40, 60] },
    headline: 'Acme fell from 60 % to 40 % of answers.',
    next: 'Globex rose by 20 points. Globex leads by 20 points.',
  },
  {
    rates: { acme: [30, 50], initech: [40, 20] },
    headline: 'Acme rose from 30 % to 50 % of answers.',
    next: 'Initech fell by 20 points.',
  },
  {
    rates: {
      'acme@perplexity': [70, 30],
      ...others('perplexity', [30, 43]),
      initech: [10, 30],
    },
    headline: 'On Perplexity, Acme fell from 70 % to 30 % of answers.',
    next: 'Initech rose by 20 points.',
  },
  {
    rates: { globex: [70, 50], initech: [10, 40] },
    headline: 'Initech rose from 10 % to 40 % of answers.',
    next: 'Globex fell by 20 points.',
  },
  // The cause is not in the data.
  {
    cause: 'Acme began a campaign on television.',
    rates: { acme: [30, 55] },
    headline: 'Acme rose from 30 % to 55 % of answers.',
  },
  {
    cause: 'Perplexity changed its index without a new model.',
    rates: { 'acme@perplexity': [70, 20], ...others('perplexity', [36, 50]) },
    headline: 'On Perplexity, Acme fell from 70 % to 20 % of answers.',
  },
  {
    cause: 'Globex was bought by a larger company.',
    rates: { globex: [40, 70] },
    headline: 'Globex rose from 40 % to 70 % of answers.',
  },
  {
    cause: 'A newspaper wrote about a leak of Acme.',
    rates: { acme: [70, 45] },
    headline: 'Acme fell from 70 % to 45 % of answers.',
  },
  {
    cause: 'A review site put Initech first.',
    rates: { initech: [15, 45] },
    headline: 'Initech rose from 15 % to 45 % of answers.',
  },
  // Nothing happened.
  { headline: quiet },
  { rates: { acme: [42, 41], globex: [55, 56] }, headline: quiet },
  { rates: { acme: [80, 81] }, headline: quiet },
  { rates: { acme: [12, 12], globex: [30, 31] }, headline: quiet },
  { rates: { acme: [0, 0] }, headline: quiet },
  { rates: { 'acme@claude': [40, 42], 'acme@gemini': [42, 40] }, headline: quiet },
  // There is too little.
  {
    prompts: 6,
    rates: { acme: [20, 60] },
    headline: 'Too little to compare yet: 4 more prompts are needed.',
  },
  {
    prompts: 9,
    headline: 'Too little to compare yet: 1 more prompt is needed.',
  },
  {
    hasNoBefore: true,
    headline: 'Too little to compare yet: 28 more days of answers are needed.',
  },
  {
    hasNoBefore: true,
    prompts: 8,
    headline: 'Too little to compare yet: 2 more prompts and 28 more days of answers are needed.',
  },
];

/** The rates of the other engines. */
function others(engine: (typeof engines)[number], rates: Rates): Record<string, Rates> {
  return Object.fromEntries(
    engines.filter((one) => one !== engine).map((one) => [`acme@${one}`, rates]),
  );
}
