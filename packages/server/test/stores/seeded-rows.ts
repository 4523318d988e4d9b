/** A data set for digests: rows of the five kinds, the same for the same seed, with many ties. */
import { idOf } from './rows.ts';

const engines = ['chatgpt', 'claude_api', 'copilot', 'gemini', 'perplexity'];
const texts = [
  'Which CRM is best?',
  'Wofür taugt \uFB01nance?',
  'zeta',
  'Zeta',
  'é 😀 𝒳',
  'a_b, "c"',
];
const lastMs = Date.parse('2026-11-20T12:00:00Z');

/** Rows as `overheard import` takes them, by their kind. */
export function seededRows(seed: number): Readonly<Record<string, readonly object[]>> {
  let state = seed;
  const runs = list(900, (index) => ({
    run_id: idOf(index),
    prompt_id: idOf(index < 300 ? 1 : below(40)),
    engine: oneOf(engines),
    run_at: moment(120),
  }));
  return {
    prompts: list(560, (index) => ({
      id: idOf(index),
      text: `${oneOf(texts)} ${index}`,
      locale: oneOf(['en-US', 'de-DE', 'fr-FR']),
      active: below(4) > 0,
      created_at: moment(3),
    })),
    scores: list(200, (index) => index).flatMap((index) =>
      engines.map((engine) => ({
        date: new Date(lastMs - (index - 5) * 86_400_000).toISOString().slice(0, 10),
        engine,
        citations: below(20),
        total_runs: 20,
        sov: ratio(),
      })),
    ),
    actions: list(2300, (index) => ({
      id: idOf(index),
      prompt_id: orNull(idOf(below(40))),
      recommendation: oneOf(texts),
      priority: oneOf(['high', 'medium', 'low']),
      status: oneOf(['open', 'in_progress', 'done', 'dismissed']),
      impact_score: orNull(below(50) / 4),
      sov_baseline: orNull(ratio()),
      sov_result: orNull(ratio()),
      created_at: moment(3),
    })),
    hits: list(700, (index) => ({
      id: idOf(index),
      bot_name: oneOf(['GPTBot', 'ClaudeBot', 'PerplexityBot']),
      bot_company: 'Example',
      category: oneOf(['crawler', 'search', 'user']),
      path: `/${oneOf(['', 'pricing', 'a b', 'é'])}`,
      method: oneOf(['GET', 'HEAD']),
      status: orNull(200 + below(300)),
      verification: oneOf(['verified', 'spoofed', 'unverified']),
      hit_at: moment(20),
    })),
    detections: runs.flatMap((run) =>
      ['brand', 'competitor', 'competitor'].map((type, number) => {
        const cited = below(2) === 0;
        return {
          ...run,
          subject_type: type,
          subject_id: idOf(number),
          cited,
          position: cited ? below(500) : null,
          rank: cited ? 1 + below(3) : null,
          sentiment: orNull(oneOf(['positive', 'neutral', 'negative'])),
        };
      }),
    ),
  };

  function list<Item>(length: number, make: (index: number) => Item): Item[] {
    return Array.from({ length }, (_, index) => make(index));
  }

  /** A linear congruential generator: the same numbers on every machine. */
  function below(limit: number): number {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * limit);
  }

  function oneOf(items: readonly string[]): string {
    return items[below(items.length)] ?? '';
  }

  function orNull<Value>(value: Value): Value | null {
    return below(4) === 0 ? null : value;
  }

  function ratio(): number {
    return below(10_001) / 10_000;
  }

  function moment(days: number): string {
    return new Date(lastMs - below(days) * 86_400_000).toISOString();
  }
}
