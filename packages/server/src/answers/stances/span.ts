/** A part of a text, in code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
