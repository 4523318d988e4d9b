/** Answers of workspaces of which it is known what happened. Nothing here tells stories. */
import { createRandom } from '../../src/demo/random.ts';
import { engines } from './planted-stories.ts';
import type { Plan, Rates } from './planted-stories.ts';

const subjects = ['acme', 'globex', 'initech'] as const;
const usual: Readonly<Record<string, Rates>> = {
  acme: [40, 40],
  globex: [56, 56],
  initech: [28, 28],
};
const runsOfPrompt = 4;
/** A row of an import. */
interface PlantedAnswer {
  readonly prompt: string;
  readonly engine: string;
  readonly run_at: string;
  readonly answer: string;
}

const periods = [Date.parse('2026-09-26T08:00:00Z'), Date.parse('2026-10-24T08:00:00Z')] as const;
const dayMs = 86_400_000;

/** The answers of a plan: exactly as many as it says, to prompts that resemble themselves. */
export function answersOf(plan: Plan, seed: number): PlantedAnswer[] {
  const random = createRandom(seed).next;
  const { prompts = 25, rates = {}, prompt: single, hasNoBefore = false } = plan;
  // How likely each prompt names a subject: the same before and now, on every engine.
  const likings = subjects.map(() => Array.from({ length: prompts }, () => 2.5 * logistic(random)));
  return engines.flatMap((engine, engineNumber) =>
    periods.flatMap((startMs, side) => {
      if (side === 0 && hasNoBefore) return [];
      const cells = Array.from({ length: prompts * runsOfPrompt }, (_, cell) => cell);
      const cited = subjects.map((subject, place) => {
        const [before, now] = rates[`${subject}@${engine}`] ??
          rates[subject] ??
          usual[subject] ?? [0, 0];
        const count = Math.round(((side === 0 ? before : now) / 100) * cells.length);
        const keys = cells.map(
          (cell) => (likings[place]?.[cell % prompts] ?? 0) + logistic(random),
        );
        const isFixed = (cell: number) => place === 0 && cell % prompts === single?.number;
        const ranked = cells
          .filter((cell) => !isFixed(cell))
          .toSorted((left, right) => (keys[right] ?? 0) - (keys[left] ?? 0));
        const fixed = cells.filter(isFixed).slice(0, single?.counts[side] ?? 0);
        return new Set([...ranked.slice(0, count), ...fixed]);
      });
      return cells.map((cell) => ({
        prompt: `Which tool suits team ${cell % prompts}?`,
        engine,
        run_at: runAt(startMs, { cell, engineNumber }),
        answer: answerText(cited.map((set) => set.has(cell))),
      }));
    }),
  );
}

/**
 * The answers of a workspace in which nothing changes. Two answers to one prompt correlate by 0.83:
 * each repeats what the prompt always says with probability sqrt(0.83), and else is drawn anew.
 */
export function quietAnswers(seed: number): PlantedAnswer[] {
  const random = createRandom(seed).next;
  const prompts = 25;
  const repeats = Math.sqrt(0.83);
  const names = [0.4, 0.56, 0.28].map((rate) => ({
    rate,
    always: Array.from({ length: prompts }, () => random() < rate),
  }));
  return engines.flatMap((engine, engineNumber) =>
    periods.flatMap((startMs) =>
      Array.from({ length: prompts * runsOfPrompt }, (_, cell) => ({
        prompt: `Which tool suits team ${cell % prompts}?`,
        engine,
        run_at: runAt(startMs, { cell, engineNumber }),
        answer: answerText(
          names.map(({ rate, always }) =>
            random() < repeats ? always[cell % prompts] === true : random() < rate,
          ),
        ),
      })),
    ),
  );
}

function runAt(startMs: number, at: { cell: number; engineNumber: number }): string {
  const day = at.cell % 28;
  const minutes = at.cell * 2 + at.engineNumber;
  return new Date(startMs + day * dayMs + minutes * 60_000).toISOString();
}

function answerText(isCited: readonly boolean[]): string {
  const names = ['Acme', 'Globex', 'Initech'].filter((_, place) => isCited[place] === true);
  return names.length === 0 ? 'It depends on the team.' : `Consider ${names.join(', then ')}.`;
}

function logistic(random: () => number): number {
  const chance = 0.001 + 0.998 * random();
  return Math.log(chance / (1 - chance));
}
