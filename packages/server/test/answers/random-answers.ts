/** Random answers whose citations are known, because they are written from them. The same every time. */
import { promptId } from '../../src/values/uuid.ts';
import type { OracleRun } from './share-oracle.ts';
import { idOf } from '../stores/rows.ts';

const names = ['Acme', 'Globex', 'Initech'];
const engines = ['chatgpt', 'gemini', 'perplexity_api'];
const dayMs = 86_400_000;

/** A row of `answers import`, and what is true of its run in a workspace of `aWorkspace`. */
export interface KnownAnswer {
  readonly row: object;
  readonly truth: OracleRun;
}

/** Answers of the 60 days before a moment, most of them counted. */
export function randomAnswers(
  count: number,
  { beforeMs, seed = 1 }: { beforeMs: number; seed?: number },
): KnownAnswer[] {
  const chance = createChance(seed);
  const prompts = [
    ...Array.from({ length: 40 }, (_, index) => `Which tool suits team ${index}?`),
    ...Array.from({ length: 5 }, (_, index) => `Is Globex right for team ${index}?`),
    'Is Acme any good?',
  ].map((text, index) => ({ text, locale: index % 3 === 0 ? 'de-DE' : 'en-US' }));
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor(chance() * prompts.length);
    const { text, locale } = prompts[place] ?? { text: '', locale: '' };
    const engine = engines[Math.floor(chance() * engines.length)] ?? '';
    const ageDays = Math.floor(chance() * 60);
    // One engine got another model in the middle of the time.
    const model = engine === 'gemini' && ageDays < 28 ? 'later' : 'first';
    const language = locale.slice(0, 2);
    const runAt = new Date(beforeMs - ageDays * dayMs - index).toISOString();
    const trend = engine === 'chatgpt' && ageDays < 28 ? 0.15 : 0;
    const cited = names.flatMap((name, subject) => {
      const isCited = chance() < 0.15 + trend + ((place * (subject + 3)) % 7) / 12;
      const how = (['named', 'linked', 'both'] as const)[Math.floor(chance() * 3)] ?? 'named';
      return isCited ? [{ name, how, subject_id: idOf(subject + 1) }] : [];
    });
    const outcome = chance() < 0.05 ? 'refused' : 'answered';
    const named = cited.filter(({ how }) => how !== 'linked');
    const linked = cited.filter(({ how }) => how !== 'named');
    const ranked = [...named, ...linked.filter(({ how }) => how === 'linked')];
    return {
      row: {
        prompt: text,
        language,
        locale,
        engine,
        model,
        run_at: runAt,
        outcome,
        answer: `${named.map(({ name }) => `${name} is a tool.`).join(' ')} Number ${index}.`,
        sources: linked.map(
          ({ name }) => `https://www.${name.toLowerCase()}.com/page-${index % 9}`,
        ),
      },
      truth: {
        prompt_id: promptId({ text, language, locale }),
        engine,
        locale,
        cohort: `${engine} ${model} ${locale}`,
        run_at: runAt,
        outcome,
        branded: text.includes('Acme'),
        names_competitor: text.includes('Globex'),
        cited:
          outcome === 'answered'
            ? cited.map((one) => ({ ...one, rank: ranked.indexOf(one) + 1 }))
            : [],
      },
    };
  });
}

/** Numbers from 0 to 1. Numerical Recipes' linear congruential generator. */
export function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
