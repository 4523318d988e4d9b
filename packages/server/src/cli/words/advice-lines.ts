import type { Advice } from '../../answers/spellings/advise.ts';
import { shellWord } from '../../values/shell-word.ts';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** Warnings about the names of a subject, and spellings that it could have besides. */
export function adviceLines(
  { ambiguous, sharedDomains, publicSuffixes, spellings }: Advice,
  { name, slug }: { name: string; slug: string },
): string[] {
  const command = `  overheard subject set ${shellWord(name)} --workspace ${slug}`;
  return [
    ...ambiguous.flatMap((alias) => [
      `Warning: "${alias}" is also a common word or abbreviation. It matches in any case, also if ${name} is not meant. To find it only as written:`,
      `${command}${alias === name ? '' : ` --remove-alias ${shellWord(alias)}`} --add-alias-exact ${shellWord(alias)}`,
    ]),
    ...sharedDomains.map(
      (domain) =>
        `Warning: many companies have pages on ${domain}. Every link to it counts as a link to ${name}. If only one path belongs to ${name}, use --path.`,
    ),
    ...publicSuffixes.map(
      (domain) =>
        `Warning: anybody may register under ${domain}. Only links to ${domain} itself count, not those to the sites below it: give the domain of ${name}.`,
    ),
    ...spellings.flatMap((group) => [
      group.language === null
        ? `These spellings of ${name} are not found yet:`
        : `These spellings with case endings of ${languageNames.of(group.language) ?? group.language}, a language of the prompts, are not found yet:`,
      `  ${group.spellings.join(', ')}`,
    ]),
    ...(spellings.length === 0
      ? []
      : [
          'Add those that people write:',
          `${command} ${spellings
            .flatMap((group) => group.spellings)
            .map((spelling) => `--add-alias ${shellWord(spelling)}`)
            .join(' ')}`,
        ]),
  ];
}
