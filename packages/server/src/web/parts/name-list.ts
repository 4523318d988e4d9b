import type { Content } from '../markup/html.ts';

/** Names with commas, of which a table cuts each long one, not the list. */
export function nameList(names: readonly string[]): Content {
  return names.map((name, index) => [index > 0 && ', ', name]);
}
