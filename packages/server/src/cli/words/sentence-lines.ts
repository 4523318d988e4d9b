import { InvalidArgumentError, Option } from 'commander';
import type {
  CitationExample,
  CitationExamples,
} from '../../answers/redetect/citation-examples.ts';

const sentencesMax = 1000;

/** The option for how many sentences of a kind are printed. */
export function sentencesOption(): Option {
  return new Option('--sentences <number>', 'print at most so many that come, and that go')
    .default(10)
    .argParser(parseSentences);
}

/** A number of sentences. Throws an `InvalidArgumentError` for any other text. */
export const parseSentences = parseFrom(0);

/** The option for how many mentions of a subject in a run are printed. */
export function mentionsOption(): Option {
  return new Option('--mentions <number>', 'print at most so many mentions of a subject in a run')
    .default(10)
    .argParser(parseFrom(1));
}

function parseFrom(least: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= sentencesMax) return number;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${sentencesMax}.`);
  };
}

/** The sentences and links that come and go, for a person to read. */
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
  const shown = examples.length < total ? `, ${examples.length} shown; --sentences shows more` : '';
  return [
    `Sentences and links that ${verb} (${total}${shown}):`,
    ...examples.flatMap(({ subject, run_at: at, engine, run_id: id, sentence, url }) => [
      `  ${subject}, ${engine} ${at}, run ${id}`,
      ...[sentence, url].flatMap((text) => (text === null ? [] : [`      ${text}`])),
    ]),
  ];
}
