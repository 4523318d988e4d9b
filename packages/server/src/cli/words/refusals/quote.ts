import { printable } from '../../../values/printable.ts';

/** Typed text, shortened and on one line, for a message about it. */
export function quote(text: string): string {
  return `"${printable(text, { lengthMax: 80 })}"`;
}

/** `Did you mean "acme"?`, or other advice if no known word is near. */
export function didYouMean(nearest: string | undefined, advice: string): string {
  return nearest === undefined ? advice : `Did you mean ${quote(nearest)}?`;
}
