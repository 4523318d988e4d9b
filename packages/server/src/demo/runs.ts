import type { DetectionRow } from '@overheard/contract';
import { writeAnswer } from './answer-text.ts';
import type { DemoAnswer } from './answer-text.ts';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';
import { brand, competitors, engines } from './cast.ts';
import type { Player } from './cast.ts';
import type { DemoPrompt } from './prompts.ts';
import type { Random } from './random.ts';

/** A tracked subject of the workspace that the demo fills. */
export interface DemoSubject {
  readonly subject_type: DetectionRow['subject_type'];
  readonly name: string;
}

const runsPerDay = 2;
/** Runs that were refused, empty or failed. */
const lostShare = 0.09;
/** Days and engines on which a branded prompt runs as well. */
const brandedShare = 0.05;
/** Of the cited subjects, those that are linked without being named. */
const linkedShare = 0.12;

/** What six engines answered on every day: raw answers, in which the pipeline finds who is cited. */
export function demoAnswers(
  prompts: readonly DemoPrompt[],
  subjects: readonly DemoSubject[],
  { calendar, random }: { calendar: Calendar; random: Random },
): DemoAnswer[] {
  const affinities = new Map(
    prompts.map(({ row }) => [row.id, subjects.map(() => random.next() * 0.4 - 0.2)]),
  );
  const answers: DemoAnswer[] = [];
  for (let day = 0; day < days; day++) {
    const asked = prompts.filter(({ from, to }) => day >= from && day <= to);
    for (const engine of engines) {
      for (const { prompt, isLost } of promptsOf(asked, random)) {
        const run_at = calendar.moment(day, 0.2 + random.next() * 0.15);
        const chances = subjects.map((subject, index) =>
          chanceOf(subject, {
            prompt,
            day,
            // A prompt suits some subjects, and an engine likes the brand, more than others do.
            leaning:
              (affinities.get(prompt.row.id)?.[index] ?? 0) +
              (subject.subject_type === 'brand' ? engine.bias : 0),
          }),
        );
        const said = isLost
          ? lostAnswer(random)
          : writeAnswer(citedPlayers(subjects, { chances, random }), {
              language: prompt.row.language,
              random,
            });
        answers.push({ prompt_id: prompt.row.id, engine: engine.slug, run_at, ...said });
      }
    }
  }
  return answers;
}

type Said = Pick<DemoAnswer, 'outcome' | 'answer' | 'sources'>;

function lostAnswer(random: Random): Said {
  const outcome = random.pick(['refused', 'empty', 'failed'] as const);
  const answer = outcome === 'refused' ? 'I cannot recommend particular products.' : '';
  return { outcome, answer, sources: [] };
}

/** The prompts that one engine is asked on one day: one at least is answered, so that every day has a score. */
function promptsOf(
  asked: readonly DemoPrompt[],
  random: Random,
): Array<{ prompt: DemoPrompt; isLost: boolean }> {
  const unbranded = asked.filter(({ isBranded }) => !isBranded);
  const first = random.pick(unbranded);
  const chosen = [{ prompt: first, isLost: false }];
  for (let more = 1; more < runsPerDay; more++) {
    const others = unbranded.filter((one) => chosen.every(({ prompt }) => prompt !== one));
    chosen.push({ prompt: random.pick(others), isLost: random.isChance(lostShare * runsPerDay) });
  }
  if (random.isChance(brandedShare)) {
    const branded = asked.filter(({ isBranded }) => isBranded);
    chosen.push({ prompt: random.pick(branded), isLost: false });
  }
  return chosen;
}

/** How likely an answer of that day names a subject. */
function chanceOf(
  { name, subject_type }: DemoSubject,
  { prompt, day, leaning }: { prompt: DemoPrompt; day: number; leaning: number },
): number {
  if (prompt.row.text.includes(name)) return 1;
  const [first, last] = playerOf(name).fame;
  const chance = first + ((last - first) * day) / (days - 1);
  return prompt.isBranded && subject_type === 'competitor' ? chance / 2 : chance + leaning;
}

/** Who is cited, in order: those that are named, then those that are only linked. */
function citedPlayers(
  subjects: readonly DemoSubject[],
  { chances, random }: { chances: readonly number[]; random: Random },
): Array<{ player: Player; isNamed: boolean }> {
  return subjects
    .map(({ name }, index) => ({
      player: playerOf(name),
      isCited: random.isChance(chances[index] ?? 0),
      isNamed: !random.isChance(linkedShare),
      // The likelier one is cited, the nearer to the top it stands.
      place: random.next() - (chances[index] ?? 0),
    }))
    .filter(({ isCited }) => isCited)
    .toSorted((left, right) => left.place - right.place);
}

function playerOf(name: string): Player {
  const player = [brand, ...competitors].find((known) => known.name === name);
  if (player === undefined) throw new RangeError(`${name} is not in the demo`);
  return player;
}
