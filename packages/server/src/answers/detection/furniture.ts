import { wholeText } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import type { TextPlace } from './shared-text.ts';
import { createCodePointCounter } from './text/decode.ts';

/** A text that an engine's page writes around its answers, as a person has said. */
export interface PageText {
  readonly engine: string;
  readonly place: TextPlace;
  readonly text: string;
}

/** How the text of Google AI Mode's page begins below an answer. */
const opening = 'AI responses may include mistakes.';

/** All of that text to its end. An answer that quotes a part of it goes on with other words. */
const rest =
  /^(?:\s*(?:Learn more|Thank you|Your feedback helps Google improve\.|See our Privacy Policy\.|Share more feedback|Report a problem|Close|To save your searches,\s*update your settings\.?))*\s*$/;

/**
 * Finds the range of an answer that counts: all but the text of the page around it, which is known
 * of Google AI Mode, and of other engines given by the workspace.
 */
export function findCountedRange(
  engine: string,
  answer: string,
  pageTexts: readonly PageText[] = [],
): CountedRange {
  const own = pageTexts.filter((each) => each.engine === engine);
  const known = engine === 'google_ai_mode' ? knownEnd(answer) : undefined;
  const counted = answer.slice(0, known);
  const tail = longest(own, 'tail', (text) => counted.trimEnd().endsWith(text));
  const end = tail === 0 ? known : counted.trimEnd().length - tail;
  const head = longest(own, 'head', (text) => counted.slice(0, end).trimStart().startsWith(text));
  if (end === undefined && head === 0) return wholeText;
  const codePointsBefore = createCodePointCounter(answer);
  const start = answer.length - answer.trimStart().length + head;
  return {
    counts_from: head === 0 ? null : codePointsBefore(start),
    counts_to: end === undefined ? null : codePointsBefore(end),
  };
}

/** Where the known text of Google AI Mode's page begins; undefined without it. */
function knownEnd(answer: string): number | undefined {
  const end = answer.lastIndexOf(opening);
  return end === -1 || !rest.test(answer.slice(end + opening.length)) ? undefined : end;
}

function longest(
  texts: readonly PageText[],
  place: TextPlace,
  fits: (text: string) => boolean,
): number {
  const lengths = texts
    .filter((each) => each.place === place && fits(each.text))
    .map(({ text }) => text.length);
  return Math.max(0, ...lengths);
}
