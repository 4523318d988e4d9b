import type { DetectionRow } from '@overheard/contract';
import { contentId } from '../storage/ids.ts';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';
import { brand, competitors, engines } from './cast.ts';
import type { Player } from './cast.ts';
import type { DemoPrompt } from './prompts.ts';
import type { Random } from './random.ts';

/** A tracked subject of the workspace that the demo fills. */
export interface DemoSubject {
  readonly id: string;
  readonly subject_type: DetectionRow['subject_type'];
  readonly name: string;
}

/** One answered run and what it says about each subject. */
export interface DemoRun {
  readonly id: string;
  readonly day: number;
  readonly prompt: DemoPrompt;
  readonly engine: string;
  readonly run_at: string;
  readonly detections: ReadonlyArray<DetectionRow & { readonly prompt_id: string }>;
}

const runsPerDay = 2;
/** Runs that were refused, empty or failed: they leave no detections. */
const lostShare = 0.09;
/** Days and engines on which a branded prompt runs as well. */
const brandedShare = 0.05;
/** Of the cited subjects, those that are linked without being named. */
const linkedShare = 0.12;

/**
 * What six engines answered on every day. It stands in for answers: once those can be read, the
 * demo makes texts here, and the pipeline finds who is named in them.
 */
export function demoRuns(
  prompts: readonly DemoPrompt[],
  subjects: readonly DemoSubject[],
  { calendar, random }: { calendar: Calendar; random: Random },
): DemoRun[] {
  const affinities = new Map(
    prompts.map(({ row }) => [row.id, subjects.map(() => random.next() * 0.4 - 0.2)]),
  );
  const runs: DemoRun[] = [];
  for (let day = 0; day < days; day++) {
    const asked = prompts.filter(({ from, to }) => day >= from && day <= to);
    for (const engine of engines) {
      for (const prompt of promptsOf(asked, random)) {
        const run_at = calendar.moment(day, 0.2 + random.next() * 0.15);
        const id = contentId('run', [prompt.row.id, engine.slug, run_at]);
        const cited = citedSubjects(subjects, {
          chances: subjects.map((subject, index) =>
            chanceOf(subject, {
              prompt,
              day,
              // A prompt suits some subjects, and an engine likes the brand, more than others do.
              leaning:
                (affinities.get(prompt.row.id)?.[index] ?? 0) +
                (subject.subject_type === 'brand' ? engine.bias : 0),
            }),
          ),
          random,
        });
        runs.push({
          id,
          day,
          prompt,
          engine: engine.slug,
          run_at,
          detections: cited.map((detection) => ({
            prompt_id: prompt.row.id,
            run_id: id,
            ...detection,
            engine: engine.slug,
            run_at,
          })),
        });
      }
    }
  }
  return runs;
}

/** The prompts that one engine answers on one day: at least one, so that every day has a score. */
function promptsOf(asked: readonly DemoPrompt[], random: Random): DemoPrompt[] {
  const unbranded = asked.filter(({ isBranded }) => !isBranded);
  const first = random.pick(unbranded);
  const chosen = [first];
  for (let more = 1; more < runsPerDay; more++) {
    const other = random.pick(unbranded.filter((prompt) => !chosen.includes(prompt)));
    if (!random.isChance(lostShare * runsPerDay)) chosen.push(other);
  }
  if (random.isChance(brandedShare)) {
    chosen.push(random.pick(asked.filter(({ isBranded }) => isBranded)));
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

type Finding = Omit<DetectionRow, 'run_id' | 'engine' | 'run_at'>;

/** Who is cited: those named rank by position, then come those that are linked only. */
function citedSubjects(
  subjects: readonly DemoSubject[],
  { chances, random }: { chances: readonly number[]; random: Random },
): Finding[] {
  const drawn = subjects.map((subject, index) => ({
    subject,
    isCited: random.isChance(chances[index] ?? 0),
    isNamed: !random.isChance(linkedShare),
    // The likelier one is cited, the nearer to the top it stands.
    place: random.next() - (chances[index] ?? 0),
  }));
  const order = drawn
    .filter(({ isCited }) => isCited)
    .toSorted((left, right) =>
      left.isNamed === right.isNamed ? left.place - right.place : left.isNamed ? -1 : 1,
    );
  let position = random.whole(15, 160);
  const found = new Map<DemoSubject, Finding>();
  for (const [index, { subject, isNamed }] of order.entries()) {
    found.set(subject, {
      ...subjectOf(subject),
      cited: true,
      position: isNamed ? position : null,
      rank: index + 1,
      sentiment: isNamed ? sentimentOf(subject, random) : null,
    });
    position += random.whole(40, 420);
  }
  return subjects.map((subject) => found.get(subject) ?? notCited(subject));
}

function subjectOf({
  id,
  subject_type,
}: DemoSubject): Pick<Finding, 'subject_type' | 'subject_id'> {
  return { subject_type, subject_id: id };
}

function notCited(subject: DemoSubject): Finding {
  return { ...subjectOf(subject), cited: false, position: null, rank: null, sentiment: null };
}

function sentimentOf({ name }: DemoSubject, random: Random): Finding['sentiment'] {
  const { favour } = playerOf(name);
  return random.pickWeighted<Finding['sentiment']>([
    ['positive', favour],
    ['neutral', 0.85 - favour],
    ['negative', 0.1],
    [null, 0.05],
  ]);
}

function playerOf(name: string): Player {
  const player = [brand, ...competitors].find((known) => known.name === name);
  if (player === undefined) throw new RangeError(`${name} is not in the demo`);
  return player;
}
