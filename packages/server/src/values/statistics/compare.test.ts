import { expect, test } from 'vitest';
import { createRandom } from '../../demo/random.ts';
import { compareLeads, compareSubjects, holmSure } from './compare.ts';

test('a lead over ten prompts has the values that SciPy gives', () => {
  const ours = [5, 6, 3, 8, 2, 7, 4, 6, 5, 3];
  const theirs = [3, 5, 2, 6, 2, 4, 4, 5, 2, 1];
  const wholes = [8, 8, 8, 8, 8, 8, 8, 8, 8, 5];
  const prompts = ours.map((count, index) => ({
    ours: count,
    theirs: theirs[index] ?? 0,
    whole: wholes[index] ?? 0,
  }));
  const found = compareSubjects(prompts);
  expect(found.change).toBeCloseTo(15 / 77, 12);
  expect(found.chance).toBeCloseTo(0.0022522223802629456, 10);
  expect(found.verdict).toBe('up');
  const turned = prompts.map((one) => ({ ...one, ours: one.theirs, theirs: one.ours }));
  expect(compareSubjects(turned)).toEqual({ ...found, change: -15 / 77, verdict: 'down' });
  expect(compareSubjects(prompts.slice(1)).verdict).toBe('too_few');
  expect(compareSubjects([])).toMatchObject({ change: undefined, verdict: 'too_few' });
});

test('of two subjects that are equally often in an answer, one leads in at most 7 % of workspaces', () => {
  const random = createRandom(20_261_126).next;
  const workspaces = 1500;
  for (const likeness of [0, 0.3, 0.83]) {
    for (const rate of [0.1, 0.4]) {
      for (const prompts of [10, 36]) {
        const found = Array.from({ length: workspaces }, () =>
          compareSubjects(
            Array.from({ length: prompts }, () => {
              const whole = 4 + Math.floor(random() * 9);
              return { ours: drawn(whole), theirs: drawn(whole), whole };
            }),
          ),
        );
        const leads = found.filter(({ verdict }) => verdict === 'up' || verdict === 'down');
        const words = `correlation ${likeness}, rate ${rate}, ${prompts} prompts`;
        expect(leads.length / workspaces, words).toBeLessThanOrEqual(0.07);

        /** Each answer repeats what the prompt always says, or is drawn anew. */
        function drawn(whole: number): number {
          const always = random() < rate;
          const repeats = Math.sqrt(likeness);
          return Array.from({ length: whole }, () =>
            random() < repeats ? always : random() < rate,
          ).filter(Boolean).length;
        }
      }
    }
  }
});

test('a prompt with 0 of 2 runs against 2 of 2 is not lost, and one with 0 of 20 against 15 of 20 is', () => {
  expect(compareLeads([{ ours: 0, theirs: 2, whole: 2 }])).toEqual(['within_chance']);
  const [lost, ...rest] = compareLeads([
    { ours: 0, theirs: 15, whole: 20 },
    { ours: 15, theirs: 0, whole: 20 },
    ...Array.from({ length: 38 }, () => ({ ours: 9, theirs: 11, whole: 20 })),
    { ours: 0, theirs: 0, whole: 20 },
    { ours: 20, theirs: 20, whole: 20 },
  ]);
  expect([lost, ...new Set(rest)]).toEqual(['down', 'up', 'within_chance', 'too_few']);
});

test('of 40 prompts on which two subjects are equal, none is called lost in at least 90 % of draws', () => {
  const random = createRandom(20_261_127).next;
  const drawn = (): number =>
    Array.from({ length: 20 }, () => random() < 0.4).filter(Boolean).length;
  const draws = Array.from({ length: 500 }, () =>
    compareLeads(Array.from({ length: 40 }, () => ({ ours: drawn(), theirs: drawn(), whole: 20 }))),
  );
  const quiet = draws.filter((verdicts) =>
    verdicts.every((verdict) => verdict === 'within_chance'),
  );
  expect(quiet.length / draws.length).toBeGreaterThanOrEqual(0.9);
});

test("Holm's method is sure of those that SciPy's adjusted values are below the level for", () => {
  // Adjusted: 0.004, 0.009, 0.02, 0.02.
  const chances = [0.003, 0.001, undefined, 0.011, 0.01];
  expect(holmSure(chances, 0.01)).toEqual([true, true, false, false, false]);
  expect(holmSure(chances, 0.05)).toEqual([true, true, false, true, true]);
  expect(holmSure([], 0.05)).toEqual([]);
});
