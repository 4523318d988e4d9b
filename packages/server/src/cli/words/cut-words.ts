import { thousands } from '../../values/plural.ts';

/** A sentence if more rows match than are shown. */
export function cutWords(all: readonly unknown[], rows: readonly unknown[]): string | false {
  return (
    all.length > rows.length &&
    `More rows match than the ${thousands(rows.length)} shown: see --limit.`
  );
}
