import { counted } from '../../values/plural.ts';

/** That there are more rows than were printed. */
export function cutWords(all: readonly unknown[], rows: readonly unknown[]): string | false {
  return all.length > rows.length && `Only the first ${counted(rows.length, 'row')}: see --limit.`;
}
