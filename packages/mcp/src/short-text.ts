import { tokensMax } from './tokens.ts';

/**
 * The beginning of a text that costs so many tokens at most, as JSON spells it, with its length
 * told; or the text itself if all of it does.
 */
export function shortText(text: string, most: number): string {
  const start = startThatFits(text, most);
  return start === text
    ? text
    : `${startThatFits(text, most - 15)}... [shortened from ${text.length} characters]`;
}

/** The beginning of a text that costs so many tokens at most, quotes included; '' if none does. */
export function startThatFits(text: string, most: number): string {
  // A token of prose has four characters: what is far behind is not looked at.
  let start = withoutHalf(text.slice(0, Math.max(0, most) * 6));
  for (;;) {
    const cost = tokensMax(JSON.stringify(start));
    if (cost <= most || start === '') return start;
    start = withoutHalf(start.slice(0, Math.floor((start.length * most * 0.9) / cost)));
  }
}

/** A cut may go through a character of two units. */
function withoutHalf(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
