import type { StoredRun } from '../read-stored-runs.ts';
import type { TrackedSubject } from '../subjects.ts';
import { createItemFinder } from './items.ts';
import type { AskedSubject } from './question.ts';
import { proveStance } from './rules.ts';
import type { JudgedAnswer } from './store-stances.ts';

/** Most subjects in one question. The others of the answer are asked about in the next run. */
const subjectsMax = 20;

/** A detection whose stance is not known. */
export interface CitationToJudge {
  readonly subjectId: string;
  /** Null if the subject is cited by a link alone. */
  readonly position: number | null;
  readonly url: string | null;
}

/**
 * Makes the function that prepares an answer for its judge: what rules prove, and what is asked. Throws
 * for an alias pattern that cannot be used.
 */
export function createPreparer(subjects: readonly TrackedSubject[]) {
  const findItems = createItemFinder(subjects);

  return function prepare(run: StoredRun, citations: readonly CitationToJudge[]) {
    const { answer } = run;
    const found = findItems(run);
    const proven: Array<JudgedAnswer['subjects'][number]> = [];
    const asked: AskedSubject[] = [];
    for (const { subjectId: id, position, url } of citations) {
      const items = found.get(id);
      if (position === null) {
        // A link names nothing, so it neither recommends nor warns.
        const quote = [url ?? '', (url ?? '').replace(/^https?:\/\//, '')].find(
          (words) => words !== '' && answer.includes(words),
        );
        const presentation =
          quote === undefined ? undefined : ({ stance: 'plain', purpose: null, quote } as const);
        proven.push({ id, isByRule: true, presentation });
      } else if (items !== undefined) {
        // An order to a judge next to a name, or a sentence that looks like one: nothing is sure.
        const isVoid = items.isHostile || items.items.length === 0;
        const presentation = isVoid ? undefined : proveStance(answer, items);
        if (isVoid || presentation !== undefined) {
          proven.push({ id, isByRule: !isVoid, presentation });
        } else asked.push({ id, name: items.subject.name, items: items.items });
      } else {
        // Its names have changed since the answer was judged.
        proven.push({ id, isByRule: false, presentation: undefined });
      }
    }
    return { proven, asked: asked.slice(0, subjectsMax) };
  };
}
