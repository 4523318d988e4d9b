import { expect, test } from 'vitest';
import { createRandom } from '../../demo/random.ts';
import { compareSubjects, holmSure } from './compare.ts';

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

test("Holm's method is sure of those that SciPy's adjusted values are below the level for", () => {
  // Adjusted: 0.004, 0.009, 0.02, 0.02.
  const chances = [0.003, 0.001, undefined, 0.011, 0.01];
  expect(holmSure(chances, 0.01)).toEqual([true, true, false, false, false]);
  expect(holmSure(chances, 0.05)).toEqual([true, true, false, true, true]);
  expect(holmSure([], 0.05)).toEqual([]);
});
