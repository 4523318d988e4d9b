import { headlineOf, sentenceText } from './sentences.ts';
import type { Change } from './sentences.ts';

/** A change that a story may name. */
export type SureChange = ReturnType<typeof toSureChanges>[number];

/** Describes sure changes of a brand. `daily` are those of them that are sure even for daily looks. */
export function toSureChanges(
  changes: readonly Change[],
  { daily, brand }: { daily: readonly Change[]; brand: string },
) {
  const sureDaily = new Set(daily.map(subjectOf));
  return changes.map((change) => {
    const { kind, tone, before, now, row } = change;
    const subject = subjectOf(change);
    return {
      kind,
      tone,
      before,
      now,
      /** What changed, and whether it rose or fell. The same change has the same text. */
      subject,
      prompt: row.prompt_id === null ? null : { id: row.prompt_id, text: row.prompt ?? '' },
      sentence: sentenceText(headlineOf(change, brand)),
      /** Whether it is sure even for someone who looks every day of four weeks. */
      isSureDaily: sureDaily.has(subject),
    };
  });
}

function subjectOf({ kind, row, tone }: Change): string {
  const about = { total: '', engine: row.engine, rival: row.subject_id, prompt: row.prompt_id };
  return `${kind} ${about[kind] ?? ''} ${tone}`;
}
