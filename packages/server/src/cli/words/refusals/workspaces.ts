import type { RefusalFacts, SubjectWordList, TextField } from '../../../refusals.ts';
import { escapeUnseen } from '../../../values/printable.ts';
import { didYouMean, noSuch, noSuchHere, quote } from './quote.ts';
import type { WordTable } from './word-table.ts';

const fields: Readonly<Record<TextField, string>> = {
  workspace_name: "The workspace's name",
  key_name: "The key's name",
  name: 'The name',
  alias: 'An alias',
  alias_pattern: 'An alias pattern',
  domain: 'A domain',
  path: 'A path',
};

const lists: Readonly<Record<SubjectWordList, string>> = {
  alias: 'alias',
  domain: 'domain',
  path: 'owned path',
};

const takenAs: Readonly<Record<SubjectWordList, string>> = {
  alias: 'a name or alias',
  domain: 'a domain',
  path: 'an owned path',
};

const domainFaults: Readonly<Record<RefusalFacts['domain_malformed']['fault'], string>> = {
  no_host_name: 'it is not a host name such as acme.com',
  has_port: 'a domain has no port',
  is_address: 'an IP address is not a domain',
  has_no_dot: 'it has no dot, as acme.com has',
  bad_label: 'it is not a host name such as acme.com; subdomains need no "*."',
};

const pathFaults: Readonly<Record<RefusalFacts['path_malformed']['fault'], string>> = {
  no_web_address: 'it is not a web address such as github.com/acme',
  has_port: 'an owned path has no port',
};

const labelLengthMax = 60;

export const workspaceWords = {
  workspace_half_removed: () => [
    'The keys of the workspace are removed, but its data is not: the database was busy or failed.',
    'Run the command again.',
  ],
  workspace_removed: () => ['The workspace was removed in the meantime: nothing was written.'],
  id_ambiguous: ({ word, candidates, hasMore }) => [
    `Several ids begin with ${quote(word)}. Give more of the id.`,
    [
      ...candidates.map(
        ({ id, label }) => `${id}  ${escapeUnseen(label.slice(0, labelLengthMax))}`,
      ),
      ...(hasMore ? ['...'] : []),
    ]
      .map((line) => `\n  ${line}`)
      .join(''),
  ],
  text_not_well_formed: ({ field }) => [
    `${fields[field]} is not well-formed text: was it converted from another encoding?`,
  ],
  text_has_control_characters: ({ field }) => [
    `${fields[field]} must not have line ends or control characters.`,
  ],
  text_empty: ({ field }) => [`${fields[field]} must not be empty.`],
  text_too_long: ({ field, lengthMax }) => [
    `${fields[field]} must not be longer than ${lengthMax} characters.`,
  ],
  slug_malformed: ({ slug }) => [
    `${quote(slug)} is not a slug: use 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit.`,
  ],
  slug_taken: ({ slug }) => [
    `There is a workspace ${quote(slug)} already.`,
    'Choose another slug; see `overheard workspace list`.',
  ],
  workspace_not_found: ({ slug, nearest, hasAny }) => [
    noSuch('workspace', slug),
    hasAny
      ? didYouMean(nearest, 'See `overheard workspace list`.')
      : 'There is none yet: make one with `overheard workspace create`.',
  ],
  domain_malformed: ({ text, fault }) => [
    `${quote(text)} cannot be a domain: ${domainFaults[fault]}.`,
  ],
  domain_is_shared_site: ({ text }) => [
    `${quote(text)} cannot be a domain: many companies have pages on that site.`,
    'Give a path on it instead: --path.',
  ],
  path_malformed: ({ text, fault }) => [
    `${quote(text)} cannot be an owned path: ${pathFaults[fault]}.`,
  ],
  path_is_whole_site: ({ text, domain }) => [
    `${quote(text)} cannot be an owned path: nothing follows the host.`,
    `Give the whole site as a domain: --domain ${domain}`,
  ],
  alias_pattern_invalid: ({ pattern }) => [
    `The alias pattern ${quote(pattern)} is not a regular expression in RE2 syntax.`,
    'RE2 has no lookaround and no back-references.',
  ],
  alias_pattern_matches_nothing: ({ pattern }) => [
    `The alias pattern ${quote(pattern)} matches empty text, and so every text.`,
    'Make it need at least one character.',
  ],
  aliases_contradict: ({ aliases }) => [
    `The aliases ${aliases.map(({ alias, match }) => `${quote(alias)} (${match})`).join(' and ')} differ at most by case.`,
    'Give one of them.',
  ],
  subject_words_too_many: ({ countMax }) => [
    `A subject has at most ${countMax} aliases, ${countMax} domains and ${countMax} owned paths.`,
  ],
  subject_not_found: ({ subject, nearest }) => [
    noSuchHere('subject', subject),
    didYouMean(nearest, 'See `overheard subject list --workspace SLUG`.'),
  ],
  subject_removed: ({ name, id }) => [
    `The competitor ${quote(name)} was removed already (${id}).`,
    'Make a new one of that name with `overheard subject add`.',
  ],
  subject_word_not_found: ({ list, word, nearest }) => [
    `The subject has no ${lists[list]} ${quote(word)}.`,
    didYouMean(nearest, 'See `overheard subject list --workspace SLUG`.'),
  ],
  subject_word_taken: ({ list, word, owner: { type, name, id } }) => [
    `${quote(word)} is ${takenAs[list]} of the ${type} ${quote(name)} already (${id}).`,
    'Each belongs to one subject.',
  ],
  subject_changed: ({ name }) => [
    `${quote(name)} was changed by someone else in the meantime: nothing was written.`,
    'Look at it again, then repeat your change.',
  ],
  brand_not_removable: ({ name }) => [
    `${quote(name)} is the workspace's brand and stays.`,
    'Rename it with `overheard subject set`, or remove the workspace.',
  ],
  import_not_found: ({ id }) => [
    noSuchHere('import', String(id)),
    'See `overheard imports list --workspace SLUG` for the numbers.',
  ],
} as const satisfies Partial<WordTable>;
