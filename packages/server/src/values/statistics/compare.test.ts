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

test(
  'of two subjects that are equally often in an answer, one leads in at most 7 % of workspaces',
  { tags: ['long'] },
  () => {
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
  },
);

test('a prompt with 0 of 2 runs against 2 of 2 is not lost, and one with 0 of 20 against 15 of 20 is', () => {
  expect(compareLeads([{ onlyLeader: 2, onlyOther: 0 }])).toEqual([false]);
  const [lost, won, ...rest] = compareLeads([
    { onlyLeader: 15, onlyOther: 0 },
    { onlyLeader: 0, onlyOther: 15 },
    ...Array.from({ length: 38 }, () => ({ onlyLeader: 11, onlyOther: 9 })),
  ]);
  expect([lost, won, ...new Set(rest)]).toEqual([true, false, false]);
});

test('prompts whose runs cite both subjects or neither count for nothing', () => {
  // The chance is 1/16: sure at 10 % if alone, but not beside another prompt that shows nothing.
  const four = { onlyLeader: 4, onlyOther: 0 };
  const none = { onlyLeader: 0, onlyOther: 0 };
  expect(compareLeads([four, none, none])).toEqual([true, false, false]);
  expect(compareLeads([four, { onlyLeader: 1, onlyOther: 1 }])).toEqual([false, false]);
});

const promptCount = 40;
const runs = 26;
const draws = 500;

/** Draws the runs of a prompt in which one of two subjects is cited without the other. */
function drawSplit(cite: () => readonly [boolean, boolean]) {
  const all = Array.from({ length: runs }, cite);
  return {
    onlyLeader: all.filter(([leader, other]) => leader && !other).length,
    onlyOther: all.filter(([leader, other]) => other && !leader).length,
  };
}

/** Each run names exactly one of the two, the leader with the given chance. */
function exclusive(random: () => number, chance: number): readonly [boolean, boolean] {
  const isLeader = random() < chance;
  return [isLeader, !isLeader];
}

test.each([
  ['cited independently', (random: () => number) => [random() < 0.4, random() < 0.4] as const],
  ['of which each answer names one', (random: () => number) => exclusive(random, 0.5)],
])(
  'of 40 prompts with two equal subjects %s, none is called lost in at least 90 % of draws',
  (_, cite) => {
    const random = createRandom(20_261_127).next;
    const quiet = Array.from({ length: draws }, () =>
      compareLeads(Array.from({ length: promptCount }, () => drawSplit(() => cite(random)))),
    ).filter((leads) => !leads.includes(true));
    expect(quiet.length / draws).toBeGreaterThanOrEqual(0.9);
  },
);

test('of 40 prompts of which 10 are truly lost, at least 7 are called lost, and at most 10 % falsely', () => {
  const random = createRandom(20_261_128).next;
  let [right, listed] = [0, 0];
  for (let draw = 0; draw < draws; draw += 1) {
    const leads = compareLeads(
      Array.from({ length: promptCount }, (_, prompt) =>
        drawSplit(() => exclusive(random, prompt < 10 ? 0.8 : 0.5)),
      ),
    );
    right += leads.slice(0, 10).filter(Boolean).length;
    listed += leads.filter(Boolean).length;
  }
  expect(right / draws).toBeGreaterThanOrEqual(7);
  expect((listed - right) / listed).toBeLessThanOrEqual(0.1);
});

test("Holm's method is sure of those that SciPy's adjusted values are below the level for", () => {
  // Adjusted: 0.004, 0.009, 0.02, 0.02.
  const chances = [0.003, 0.001, undefined, 0.011, 0.01];
  expect(holmSure(chances, 0.01)).toEqual([true, true, false, false, false]);
  expect(holmSure(chances, 0.05)).toEqual([true, true, false, true, true]);
  expect(holmSure([], 0.05)).toEqual([]);
});
