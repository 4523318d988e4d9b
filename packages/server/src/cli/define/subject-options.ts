import type { Alias } from '../../values/alias.ts';
import { list } from './options.ts';

/** Options for the words of a subject: aliases of three kinds, domains and owned paths. */
export const subjectOptions = {
  alias: list('<text>', 'another name, found in any case'),
  aliasExact: list('<text>', 'another name, found only as it is written'),
  aliasPattern: list('<regexp>', 'a regular expression, in the syntax of RE2'),
  domain: list('<name>', 'a domain, or an address on it'),
  path: list('<address>', 'its path on a shared site, such as github.com/acme'),
};

/** The aliases of three lists with their kinds. */
export function aliasesOf({
  alias,
  aliasExact,
  aliasPattern,
}: {
  alias: readonly string[];
  aliasExact: readonly string[];
  aliasPattern: readonly string[];
}): Alias[] {
  return [
    ...alias.map((text): Alias => ({ alias: text, match: 'default' })),
    ...aliasExact.map((text): Alias => ({ alias: text, match: 'exact' })),
    ...aliasPattern.map((text): Alias => ({ alias: text, match: 'pattern' })),
  ];
}
