import type {
  CitationExample,
  CitationExamples,
} from '../../answers/redetect/compare-citations.ts';

/** The most sentences, or mentions of a subject, that may be asked for. */
export const sentencesMax = 1000;

/** The sentences and links that would be gained and lost, for a person to read. */
export function sentenceLines({ comes, goes, examples }: CitationExamples): string[] {
  const { comes: coming = [], goes: going = [] } = Object.groupBy(examples, ({ change }) => change);
  return [...directionLines('come', comes, coming), ...directionLines('go', goes, going)];
}

function directionLines(
  verb: string,
  total: number,
  examples: readonly CitationExample[],
): string[] {
  if (total === 0) return [];
  const hint = examples.length < total ? `, ${examples.length} shown; --sentences shows more` : '';
  return [
    `Sentences and links that ${verb} (${total}${hint}):`,
    ...examples.flatMap(({ subject, run_at: at, engine, run_id: id, sentence, url }) => [
      `  ${subject}, ${engine} ${at}, run ${id}`,
      ...[sentence, url].flatMap((text) => (text === null ? [] : [`      ${text}`])),
    ]),
  ];
}
