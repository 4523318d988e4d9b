import type { WebPage } from './engine.ts';

/** `[1]`, `[1][3]`, `[1, 3]` and `[web:1]`: numbers of search results in an answer's text. */
const marker = /\[((?:web:)?\d{1,4}(?:\s*,\s*(?:web:)?\d{1,4})*)\]/g;

/**
 * The pages that the text refers to by number, in the order of the text. Leaves out numbers without
 * a page.
 */
export function markedPages(
  text: string,
  find: (number: number) => WebPage | undefined,
): WebPage[] {
  return [...text.matchAll(marker)].flatMap(([, numbers = '']) =>
    [...numbers.matchAll(/\d+/g)].flatMap(([number]) => find(Number(number)) ?? []),
  );
}
