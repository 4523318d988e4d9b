import { compareCodePoints } from '../../values/code-points.ts';
import { foldCase } from '../../values/fold-case.ts';

/** What purposes have in common that differ only in case, spaces or a leading article. */
export function foldPurpose(purpose: string): string {
  return foldCase(purpose)
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:an?|the) (?=.)/, '');
}

/** The spelling that most answers have; of equally frequent ones the first by code points. */
export function usualSpelling(spellings: readonly string[]): string {
  const counts = [...Map.groupBy(spellings, (spelling) => spelling.trim())];
  const [usual] = counts.toSorted(
    ([left, one], [right, other]) => other.length - one.length || compareCodePoints(left, right),
  );
  return usual?.[0] ?? '';
}
