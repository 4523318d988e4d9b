import { wholeText } from '../../values/counted-range.ts';
import type { CountedRange } from '../../values/counted-range.ts';
import { createCodePointCounter } from './text/decode.ts';

/** How the text of Google AI Mode's page begins below an answer. */
const opening = 'AI responses may include mistakes.';

/** All of that text to its end. An answer that quotes a part of it goes on with other words. */
const rest =
  /^(?:\s*(?:Learn more|Thank you|Your feedback helps Google improve\.|See our Privacy Policy\.|Share more feedback|Report a problem|Close|To save your searches,\s*update your settings\.?))*\s*$/;

/** Finds the range of an answer that counts: all but the text of the page around it. */
export function findCountedRange(engine: string, answer: string): CountedRange {
  const end = engine === 'google_ai_mode' ? answer.lastIndexOf(opening) : -1;
  if (end === -1 || !rest.test(answer.slice(end + opening.length))) return wholeText;
  return { counts_from: null, counts_to: createCodePointCounter(answer)(end) };
}
