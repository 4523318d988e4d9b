/** Where a page writes text of its own: before an answer or after it. */
export const textPlaces = ['head', 'tail'] as const;
export type TextPlace = (typeof textPlaces)[number];

/** A head or tail that most answers of an engine share. */
export interface SharedText {
  readonly place: TextPlace;
  readonly text: string;
  /** The different answers that have it, and all different answers. */
  readonly answers: number;
  readonly of: number;
}

const lengthMin = 40;
/** A page writes less than this around an answer. */
const lengthMax = 2000;
const answersMin = 3;

/**
 * Finds the longest head or tail of 40 characters or more that more than half of different answers
 * share. Equal answers count once. Blanks at the ends do not matter.
 */
export function findSharedText(
  answers: readonly string[],
  place: TextPlace,
): SharedText | undefined {
  const all = [...new Set(answers.map((answer) => answer.trim()))];
  if (all.length < answersMin) return undefined;
  const ends = all.map((text) =>
    place === 'head' ? text.slice(0, lengthMax) : reversed(text.slice(-lengthMax)),
  );
  // Once sorted, texts that begin alike are neighbours.
  const sorted = ends.toSorted((left, right) => (left < right ? -1 : 1));
  const most = Math.floor(all.length / 2) + 1;
  let shared = '';
  for (const [index, first] of sorted.entries()) {
    const last = sorted[index + most - 1];
    if (last === undefined) break;
    const length = sameLength(first, last);
    if (length > shared.length) shared = first.slice(0, length);
  }
  const having = sorted.filter((text) => text.startsWith(shared));
  const whole = withoutBrokenWord(shared, having);
  // The full stop before a page's text is the answer's.
  const text =
    place === 'head'
      ? whole.trim()
      : [...whole]
          .toReversed()
          .join('')
          .trimEnd()
          .replace(/^\p{P}*\s+/u, '');
  return text.length < lengthMin
    ? undefined
    : { place, text, answers: having.length, of: all.length };
}

/** The characters in the opposite order; pairs of surrogates stay. */
function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

function sameLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  // Do not cut a pair of surrogates.
  return /[\ud800-\udbff]/.test(left[length - 1] ?? '') ? length - 1 : length;
}

/** Drops a word at the end of the shared text that some texts continue with other letters. */
function withoutBrokenWord(shared: string, texts: readonly string[]): string {
  const isBroken = texts.some((text) => /^[\p{L}\p{M}\p{N}]/u.test(text.slice(shared.length)));
  return isBroken ? shared.replace(/[\p{L}\p{M}\p{N}]+$/u, '') : shared;
}
