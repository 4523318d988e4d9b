import type { Stance } from '@overheard/contract';
import { readRunsById } from '../answers/read-stored-runs.ts';
import { listAnswersToJudge, readCitationsToJudge } from '../answers/stances/answers-to-judge.ts';
import { createPreparer } from '../answers/stances/prepare.ts';
import { stanceVersion } from '../answers/stances/question.ts';
import { storeStances } from '../answers/stances/store-stances.ts';
import type { JudgedAnswer } from '../answers/stances/store-stances.ts';
import { writeLabels } from '../answers/stances/write-label.ts';
import type { StanceLabel } from '../answers/stances/write-label.ts';
import { readSubjects } from '../answers/subjects.ts';
import type { Store } from '../storage/store.ts';
import { inChunks } from '../storage/chunks.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';
import { halfDays } from './calendar.ts';

/** What the judge of the demo says of each phrase, written by hand. */
const verdicts: ReadonlyArray<readonly [quote: string, stance: Stance, purpose?: string]> = [
  ['a clear pipeline and a set-up of one afternoon', 'also'],
  ['client portals that agencies like', 'recommended_for', 'agencies'],
  ['eine klare Pipeline', 'also'],
  ['Kundenportale, die Agenturen schätzen', 'recommended_for', 'Agenturen'],
  ['the broadest set of features', 'recommended_for', 'the broadest set of features'],
  ['detailed reports, at a higher price per user', 'mixed'],
  ['den größten Funktionsumfang', 'recommended_for', 'größten Funktionsumfang'],
  ['ausführliche Berichte zu einem höheren Preis', 'mixed'],
  ['reliable automation of follow-ups', 'recommended_for', 'automation of follow-ups'],
  ['an open API, though it takes time to learn', 'mixed'],
  ['a generous free plan', 'recommended_for', 'a generous free plan'],
  ['old software that reviewers tell small teams to avoid', 'advised_against'],
];

/** Where the person who labels the demo disagrees. */
const corrections: ReadonlyMap<string, Stance> = new Map([
  ['den größten Funktionsumfang', 'also'],
  ['reliable automation of follow-ups', 'also'],
]);

const judge = 'mistral_api';
const sample = 3;
const labelsCount = 100;
const runsAtOnce = 64;

/** Judges the last 28 days by verdicts that are written by hand, and labels 100 of them. */
export async function judgeDemo(
  store: Store,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<void> {
  const to = utcDay(clock());
  const choice = { workspaceId, judge, sample, from: addDays(to, 1 - halfDays), to };
  const prepare = createPreparer(await readSubjects(store.reader, workspaceId));
  const judged: JudgedAnswer[] = [];
  for (const ids of inChunks(await listAnswersToJudge(store, choice), runsAtOnce)) {
    const citations = await readCitationsToJudge(store, choice, ids);
    for (const run of await readRunsById(store.reader, workspaceId, ids)) {
      const { proven, asked } = prepare(run, citations.get(run.id) ?? []);
      const subjects = asked.map(({ id, name }) => {
        const presentation = presentationOf(run.answer, name);
        return { id, isByRule: false, presentation };
      });
      const facts = { judge, model: 'made up by hand', version: stanceVersion };
      judged.push({ runId: run.id, ...facts, subjects: [...proven, ...subjects] });
    }
  }
  for (const answers of inChunks(judged, runsAtOnce)) {
    await storeStances(store, workspaceId, answers, { clock });
  }
  await writeLabels(store, workspaceId, labelsOf(judged), { clock, userId: null });
}

/** What follows a subject's name up to the next one; also named if nobody has judged the phrase. */
function presentationOf(answer: string, name: string) {
  const mark = `**${name}**`;
  const [, after = ''] = answer.split(mark);
  const [words = ''] = after.split('**');
  const found = verdicts.find(([quote]) => words.includes(quote));
  if (found === undefined) return { stance: 'also', purpose: null, quote: mark } as const;
  const [quote, stance, purpose = null] = found;
  return { stance, purpose, quote };
}

/** Labels of one subject of each of the first answers by id, which is a hash. */
function labelsOf(judged: readonly JudgedAnswer[]): StanceLabel[] {
  return judged
    .toSorted((one, other) => (one.runId < other.runId ? -1 : 1))
    .flatMap(({ runId, subjects }, index) => {
      // What rules prove is not the judge's.
      const ofJudge = subjects.filter(({ isByRule }) => !isByRule);
      const subject = ofJudge[index % Math.max(1, ofJudge.length)];
      if (subject?.presentation === undefined) return [];
      const { stance, quote } = subject.presentation;
      return [{ runId, subjectId: subject.id, stance: corrections.get(quote) ?? stance }];
    })
    .slice(0, labelsCount);
}
