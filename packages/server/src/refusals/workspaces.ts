import { state, unavailable, usage } from './define.ts';
import type { SubjectType } from '@overheard/contract';
import { escapeUnseen } from '../values/printable.ts';
import { didYouMean, noSuch, noSuchHere, quote } from './quote.ts';

/** A row, by its id and by what a person knows it by. */
export interface LabelledRow {
  readonly id: string;
  readonly label: string;
}

/** Where a text is used. */
export type TextField = keyof typeof fields;

const fields = {
  workspace_name: "The workspace's name",
  key_name: "The key's name",
  name: 'The name',
  alias: 'An alias',
  alias_pattern: 'An alias pattern',
  domain: 'A domain',
  path: 'A path',
};

/** A list of words that a subject has. */
export type SubjectWordList = keyof typeof lists;

const lists = {
  alias: 'alias',
  domain: 'domain',
  path: 'owned path',
};

const takenAs: Readonly<Record<SubjectWordList, string>> = {
  alias: 'a name or alias',
  domain: 'a domain',
  path: 'an owned path',
};

const domainFaults = {
  no_host_name: 'it is not a host name such as acme.com',
  has_port: 'a domain has no port',
  is_address: 'an IP address is not a domain',
  has_no_dot: 'it has no dot, as acme.com has',
  bad_label: 'it is not a host name such as acme.com; subdomains need no "*."',
};

const pathFaults = {
  no_web_address: 'it is not a web address such as github.com/acme',
  has_port: 'an owned path has no port',
};

const labelLengthMax = 60;

export const workspaceRefusals = {
  no_recipient: state<{ workspace: string }>(({ workspace }) => [
    `${quote(workspace)} has no webhook or mail address.`,
    'Add one on its page Messages.',
  ]),
  smtp_invalid: state(() => [
    'OVERHEARD_SMTP is not the address of a mail server with a sender.',
    'Set it to, for example, smtps://USER:PASSWORD@mail.example.com?from=overheard@example.com',
  ]),
  workspace_half_removed: unavailable(() => [
    'The keys of the workspace are removed, but its data is not: the database was busy or failed.',
    'Run the command again.',
  ]),
  workspace_removed: state(() => [
    'The workspace was removed in the meantime: nothing was written.',
  ]),
  id_ambiguous: state<{ word: string; candidates: readonly LabelledRow[]; hasMore: boolean }>(
    ({ word, candidates, hasMore }) => [
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
  ),
  text_not_well_formed: usage<{ field: TextField }>(({ field }) => [
    `${fields[field]} is not well-formed text: was it converted from another encoding?`,
  ]),
  text_has_control_characters: usage<{ field: TextField }>(({ field }) => [
    `${fields[field]} must not have line ends or control characters.`,
  ]),
  text_empty: usage<{ field: TextField }>(({ field }) => [`${fields[field]} must not be empty.`]),
  text_too_long: usage<{ field: TextField; lengthMax: number }>(({ field, lengthMax }) => [
    `${fields[field]} must not be longer than ${lengthMax} characters.`,
  ]),
  slug_malformed: usage<{ slug: string }>(({ slug }) => [
    `${quote(slug)} is not a slug: use 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit.`,
  ]),
  slug_taken: state<{ slug: string }>(({ slug }) => [
    `There is a workspace ${quote(slug)} already.`,
    'Choose another slug; see `overheard workspace list`.',
  ]),
  workspace_not_found: state<{ slug: string; nearest?: string | undefined; hasAny: boolean }>(
    ({ slug, nearest, hasAny }) => [
      noSuch('workspace', slug),
      hasAny
        ? didYouMean(nearest, 'See `overheard workspace list`.')
        : 'There is none yet: make one with `overheard workspace create`.',
    ],
  ),
  domain_malformed: usage<{
    text: string;
    fault: keyof typeof domainFaults;
  }>(({ text, fault }) => [`${quote(text)} cannot be a domain: ${domainFaults[fault]}.`]),
  domain_is_shared_site: usage<{ text: string }>(({ text }) => [
    `${quote(text)} cannot be a domain: many companies have pages on that site.`,
    'Give a path on it instead: --path.',
  ]),
  path_malformed: usage<{ text: string; fault: keyof typeof pathFaults }>(({ text, fault }) => [
    `${quote(text)} cannot be an owned path: ${pathFaults[fault]}.`,
  ]),
  path_is_whole_site: usage<{ text: string; domain: string }>(({ text, domain }) => [
    `${quote(text)} cannot be an owned path: nothing follows the host.`,
    `Give the whole site as a domain: --domain ${domain}`,
  ]),
  alias_pattern_invalid: usage<{ pattern: string }>(({ pattern }) => [
    `The alias pattern ${quote(pattern)} is not a regular expression in RE2 syntax.`,
    'RE2 has no lookaround and no back-references.',
  ]),
  alias_pattern_matches_nothing: usage<{ pattern: string }>(({ pattern }) => [
    `The alias pattern ${quote(pattern)} matches empty text, and so every text.`,
    'Make it need at least one character.',
  ]),
  aliases_contradict: usage<{ aliases: ReadonlyArray<{ alias: string; match: string }> }>(
    ({ aliases }) => [
      `The aliases ${aliases.map(({ alias, match }) => `${quote(alias)} (${match})`).join(' and ')} differ at most by case.`,
      'Give one of them.',
    ],
  ),
  subject_words_too_many: usage<{ countMax: number }>(({ countMax }) => [
    `A subject has at most ${countMax} aliases, ${countMax} domains and ${countMax} owned paths.`,
  ]),
  subject_not_found: state<{ subject: string; nearest?: string | undefined }>(
    ({ subject, nearest }) => [
      noSuchHere('subject', subject),
      didYouMean(nearest, 'See `overheard subject list --workspace SLUG`.'),
    ],
  ),
  subject_removed: state<{ name: string; id: string }>(({ name, id }) => [
    `The competitor ${quote(name)} was removed already (${id}).`,
    'Make a new one of that name with `overheard subject add`.',
  ]),
  subject_word_not_found: state<{
    list: SubjectWordList;
    word: string;
    nearest?: string | undefined;
  }>(({ list, word, nearest }) => [
    `The subject has no ${lists[list]} ${quote(word)}.`,
    didYouMean(nearest, 'See `overheard subject list --workspace SLUG`.'),
  ]),
  subject_word_taken: state<{
    list: SubjectWordList;
    word: string;
    owner: { type: SubjectType; name: string; id: string };
  }>(({ list, word, owner: { type, name, id } }) => [
    `${quote(word)} is ${takenAs[list]} of the ${type} ${quote(name)} already (${id}).`,
    'Each belongs to one subject.',
  ]),
  subject_changed: state<{ name: string }>(({ name }) => [
    `${quote(name)} was changed by someone else in the meantime: nothing was written.`,
    'Look at it again, then repeat your change.',
  ]),
  brand_not_removable: state<{ name: string }>(({ name }) => [
    `${quote(name)} is the workspace's brand and stays.`,
    'Rename it with `overheard subject set`, or remove the workspace.',
  ]),
  tag_malformed: usage<{ tag: string }>(({ tag }) => [
    `${quote(tag)} cannot be a tag: use 1 to 60 characters, without commas and invisible characters.`,
  ]),
  tag_not_found: state<{ tag: string; nearest?: string | undefined }>(({ tag, nearest }) => [
    noSuchHere('tag', tag),
    didYouMean(nearest, 'See `overheard prompts tag --workspace SLUG`.'),
  ]),
  tag_not_topic: state<{ tag: string }>(({ tag }) => [
    `${quote(tag)} is the topic of no prompt, and only a topic can be outside of your market.`,
    'Make it their topic with `overheard prompts tag --tag TAG --topic --search TEXT`.',
  ]),
  report_not_found: state<{ id: string }>(({ id }) => [
    noSuchHere('published report', id),
    'See `overheard report published --workspace SLUG` for the ids.',
  ]),
  import_not_found: state<{ id: number }>(({ id }) => [
    noSuchHere('import', String(id)),
    'See `overheard imports list --workspace SLUG` for the numbers.',
  ]),
};
