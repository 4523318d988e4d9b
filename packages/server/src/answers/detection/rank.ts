/**
 * The places of the cited subjects, from 1: those named, by where; then those linked only, in the
 * order of `linked`, which is that of the links in the text, then of the sources.
 */
export function rankCited(
  mentions: ReadonlyMap<number, { readonly start: number }>,
  linked: ReadonlyMap<number, unknown>,
): Map<number, number> {
  const named = [...mentions]
    .toSorted(([, left], [, right]) => left.start - right.start)
    .map(([subject]) => subject);
  const linkedOnly = [...linked.keys()].filter((subject) => !mentions.has(subject));
  return new Map([...named, ...linkedOnly].map((subject, index) => [subject, index + 1]));
}
