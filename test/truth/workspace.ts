/**
 * A workspace with traps that knows its own truth: what was planned is counted here, and the
 * product is never asked. The traps: prompts that are switched off, an app and its API, an engine
 * with six runs, one whose model changes, one of imported scores alone, subjects that come and go,
 * prompts that name a competitor or the brand, refused and empty answers, and forged hits.
 */

export const today = '2026-11-20';
export const days = 70;
const dayMs = 86_400_000;

/** One run as it was planned. `cited` is in the order of the answer. */
export interface PlannedRun {
  readonly day: string;
  readonly at: string;
  readonly engine: string;
  readonly model: string;
  readonly prompt: number;
  readonly outcome: 'answered' | 'refused' | 'empty';
  readonly named: readonly string[];
  /** Whether a page of the brand is among the sources. */
  readonly isLinked: boolean;
}

export interface PlannedPrompt {
  readonly text: string;
  readonly locale: string;
  readonly isBranded: boolean;
  readonly namesGlobex: boolean;
}

export interface PlannedHit {
  readonly bot: string;
  readonly path: string;
  readonly at: string;
  readonly verification: 'verified' | 'spoofed' | 'unverified';
  readonly status: number;
}

const topics = ['retail', 'law', 'health', 'call centre', 'travel', 'sport', 'music', 'energy'];

/** The 64 prompts that are asked. Number 3 is the one about call centres, which Globex wins. */
export const prompts: readonly PlannedPrompt[] = Array.from({ length: 64 }, (_, index) => {
  const topic =
    index === 3
      ? 'a call centre'
      : `${topics[index % 8]?.replace('call centre', 'banking')} ${index}`;
  const locale = index < 32 ? 'en-US' : index < 48 ? 'en-GB' : 'de-DE';
  const isBranded = index >= 28 && index < 32;
  const namesGlobex = index >= 10 && index < 15;
  const subject = isBranded ? 'Is Acme good' : namesGlobex ? 'Is Globex good' : 'Which CRM suits';
  return { text: `${subject} for ${topic}?`, locale, isBranded, namesGlobex };
});

/** The prompts that are switched off, all newer than the asked ones. */
export const idlePrompts = Array.from({ length: 520 }, (_, index) => ({
  text: `Which tool did nobody ask about, ${index}?`,
  locale: 'en-US',
  active: false,
  created_at: `2026-11-19T${String(index % 24).padStart(2, '0')}:00:00Z`,
}));

const engines = ['chatgpt', 'chatgpt_api', 'perplexity', 'gemini'];
export const lossDay = dayOf(27);
/** From this day on Initech is gone and Zorin is tracked. */
export const changeDay = dayOf(34);

/** Plans runs, the oldest first, and six of Claude. */
export function planRuns(count: number): readonly PlannedRun[] {
  const chance = createChance(7);
  const usual = Array.from({ length: count - 6 }, (_, index) => {
    const back = days - 1 - Math.floor((index * days) / (count - 6));
    const engine = engines[Math.floor(index / 64) % engines.length] ?? '';
    return planRun({ index, back, engine, prompt: index % 64 }, chance);
  });
  const claude = Array.from({ length: 6 }, (_, index) =>
    planRun({ index: index + 20_000, back: index, engine: 'claude', prompt: index }, chance),
  );
  return [...usual, ...claude];
}

function planRun(
  { index, back, engine, prompt }: { index: number; back: number; engine: string; prompt: number },
  chance: () => number,
): PlannedRun {
  const day = dayOf(back);
  const usual = engine === 'chatgpt_api' ? 0.7 : 0.35;
  const rate = engine === 'perplexity' ? (day < lossDay ? 0.6 : 0.1) : usual;
  const isLost = prompt === 3;
  const named = [
    ...(isLost || chance() < 0.5 ? ['Globex'] : []),
    ...(!isLost && chance() < rate ? ['Acme'] : []),
    ...(chance() < 0.2 && day < changeDay ? ['Initech'] : []),
    ...(chance() < 0.3 && day >= changeDay ? ['Zorin'] : []),
  ];
  const part = chance();
  const outcome = part < 0.04 ? 'refused' : part < 0.06 ? 'empty' : 'answered';
  const isLinked = !isLost && chance() < 0.15;
  const seconds = index % 40_000;
  const at = new Date(Date.parse(`${day}T00:00:00Z`) + seconds * 1000).toISOString();
  const model = engine === 'gemini' && day >= changeDay ? 'gemini-3' : `${engine}-1`;
  return {
    day,
    at,
    engine,
    model,
    prompt,
    outcome,
    named: chance() < 0.5 ? named : named.toReversed(),
    isLinked,
  };
}

/** The run as a row of an import. */
export function rowOf({ at, engine, model, prompt, outcome, named, isLinked }: PlannedRun) {
  const planned = prompts[prompt];
  const text =
    named.length === 0 ? 'It depends on the team.' : `Look at ${named.join(' and ')} first.`;
  return {
    prompt: planned?.text,
    locale: planned?.locale,
    engine,
    model,
    run_at: at,
    outcome,
    answer: outcome === 'answered' ? text : '',
    sources:
      outcome === 'answered'
        ? ['https://g2.com/crm', ...(isLinked ? ['https://acme.com/pricing'] : [])]
        : [],
  };
}

/** Hits over the 70 days; every ninth is forged. */
export function planHits(count: number): readonly PlannedHit[] {
  const chance = createChance(11);
  return Array.from({ length: count }, (_, index) => {
    const part = chance();
    const at =
      Date.parse(`${today}T11:00:00Z`) - Math.floor((index * days * dayMs) / count / 1000) * 1000;
    return {
      bot:
        part < 0.5
          ? 'GPTBot'
          : part < 0.8
            ? 'ClaudeBot'
            : part < 0.95
              ? 'PerplexityBot'
              : 'Applebot',
      path:
        ['/pricing', '/', '/blog', '/customers'][Math.floor(chance() * (part >= 0.95 ? 3 : 4))] ??
        '/',
      at: new Date(at).toISOString(),
      verification: index % 9 === 0 ? 'spoofed' : 'verified',
      status: chance() < 0.1 ? 404 : 200,
    };
  });
}

/** The UTC day so many days back. */
export function dayOf(back: number): string {
  return new Date(Date.parse(today) - back * dayMs).toISOString().slice(0, 10);
}

/** Mulberry32: the same numbers on every machine. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
