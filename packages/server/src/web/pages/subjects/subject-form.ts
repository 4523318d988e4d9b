import { hash } from 'node:crypto';
import type { SubjectEdit } from '../../../jobs/work.ts';
import type { Alias } from '../../../values/alias.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import { versionOf } from '../../../workspaces/subject.ts';
import type { TypedFields } from '../../request/forms.ts';

export const subjectFields = [
  'do',
  'form',
  'version',
  'seen',
  'name',
  'aliases',
  'exact',
  'patterns',
  'domains',
  'paths',
] as const;

export type TypedSubject = Readonly<Record<(typeof subjectFields)[number], string>>;

/** A subject as the fields of its form. */
export function typedFields(subject: Subject): TypedFields {
  const ofKind = (match: Alias['match']) =>
    subject.aliases.flatMap((each) => (each.match === match ? [each.alias] : [])).join('\n');
  return {
    version: versionOf(subject),
    name: subject.name,
    aliases: ofKind('default'),
    exact: ofKind('exact'),
    patterns: ofKind('pattern'),
    domains: subject.domains.join('\n'),
    paths: subject.paths.join('\n'),
  };
}

/** Reads the change in a form. `subject` is undefined for a new one, whose id is in the form. */
export function editOf(subject: Subject | undefined, typed: TypedSubject): SubjectEdit {
  const { version, name } = typed;
  if (subject !== undefined && isArchiving(typed)) {
    return { action: 'archive', id: subject.id, version, name: subject.name };
  }
  const words = {
    name,
    aliases: [
      ...aliasesOf(typed.aliases, 'default'),
      ...aliasesOf(typed.exact, 'exact'),
      ...aliasesOf(typed.patterns, 'pattern'),
    ],
    domains: linesOf(typed.domains),
    paths: linesOf(typed.paths),
  };
  if (subject === undefined) return { action: 'add', id: typed.form, words };
  return { action: 'set', id: subject.id, version, words };
}

/** Whether a form is about archiving the subject, not about its words. */
export function isArchiving({ do: wanted }: TypedSubject): boolean {
  return wanted === 'look-archive' || wanted === 'archive';
}

/** A hash of the change whose preview the page shows. The form saves no other change. */
export function previewHash(edit: SubjectEdit): string {
  const { version: _, ...change } = { version: '', ...edit };
  return hash('sha256', JSON.stringify(change), 'base64url').slice(0, 16);
}

function aliasesOf(text: string, match: Alias['match']): Alias[] {
  return linesOf(text).map((alias) => ({ alias, match }));
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
