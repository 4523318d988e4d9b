import { usualWindowDays } from '../../answers/actions/derive.ts';
import type { Derivation } from '../../answers/actions/derive.ts';
import { plural } from '../../values/plural.ts';

/** The gaps that an import, a redetection or a sweep has opened. */
export function newGapsWords(
  { opened }: Pick<Derivation, 'opened'>,
  { slug }: { slug: string },
): string {
  return opened.length === 0
    ? `No new gap in the last ${usualWindowDays} days.`
    : `Found ${plural(opened.length, 'new gap')}: see \`overheard actions list --workspace ${slug}\`.`;
}
