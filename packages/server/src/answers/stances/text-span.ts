/** A part of a text, in code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
