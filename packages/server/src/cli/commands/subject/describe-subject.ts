import type { Subject } from '../../../workspaces/subject.ts';

/** A subject in words: name, id, aliases, domains, owned paths. */
export function describeSubject(subject: Subject): string {
  const aliases = aliasWords(subject);
  return [
    `${subject.name} (${subject.id})`,
    ...(aliases === '' ? [] : [`aliases ${aliases}`]),
    ...(subject.domains.length === 0 ? [] : [`domains ${subject.domains.join(', ')}`]),
    ...(subject.paths.length === 0 ? [] : [`paths ${subject.paths.join(', ')}`]),
  ].join('; ');
}

/** The aliases of a subject in words, empty if it has none. */
export function aliasWords({ aliases }: Subject): string {
  return aliases
    .map(({ alias, match }) => (match === 'default' ? alias : `${alias} (${match})`))
    .join(', ');
}
