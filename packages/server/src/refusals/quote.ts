import { printable } from '../values/printable.ts';

/** Typed text, shortened and on one line, for a message about it. */
export function quote(text: string): string {
  return `"${printable(text, { lengthMax: 80 })}"`;
}

/** `Did you mean "acme"?`, or other advice if no known word is near. */
export function didYouMean(nearest: string | undefined, advice: string): string {
  return nearest === undefined ? advice : `Did you mean ${quote(nearest)}?`;
}

/** Says that nothing of this kind has the name or id. */
export function noSuch(kind: string, word: string): string {
  return `There is no ${kind} ${quote(word)}.`;
}

/** The same for what belongs to a workspace. */
export function noSuchHere(kind: string, word: string): string {
  return `There is no ${kind} ${quote(word)} in this workspace.`;
}

/** How to name a row by its id, after a word that named none. */
export function byItsId(word: string, command: string): string {
  return word.length < 4
    ? `Give at least the first 4 characters of its id, which \`${command}\` shows.`
    : `See \`${command}\`.`;
}
