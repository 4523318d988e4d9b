import { compilePattern } from '../../../values/alias.ts';
import type { Alias } from '../../../values/alias.ts';
import { foldString } from '../text/fold.ts';
import type { FoldedText } from '../text/fold.ts';
import { isCommonWord } from './common-words.ts';
import { inflectInText } from './inflect.ts';
import { createNameFinder } from './names.ts';
import type { DetectableSubject } from '../subject.ts';

/** A place in an answer that spells an alias. Offsets are in code units of the answer. */
export interface Candidate {
  /** The subject's index in the list of subjects. */
  readonly subject: number;
  readonly alias: string;
  readonly start: number;
  readonly end: number;
  /** Whether the alias is spelt without its article, which an Arabic preposition has absorbed. */
  readonly isMelted?: boolean;
}

export interface AliasFinder {
  /**
   * Finds every place that spells an alias, whether it is a whole word or not, sorted by its
   * beginning.
   */
  find(text: string, folded: FoldedText): Candidate[];
  /** Whether a text is itself an alias. Ignores patterns. */
  isAlias(text: string): boolean;
}

interface SubjectAlias extends Alias {
  readonly subject: number;
  /** The spelling, if it differs from the alias. */
  readonly spelling?: string;
  readonly isMelted?: boolean;
  /** The case ending of an inflected spelling, in lower case. */
  readonly ending?: string;
}

/**
 * Builds the finder of all subjects' aliases, with the case endings of a language (the primary
 * subtag of BCP 47). Throws for a pattern that RE2 cannot compile.
 */
export function createAliasFinder(
  subjects: readonly Pick<DetectableSubject, 'aliases'>[],
  language = '',
): AliasFinder {
  const all = subjects.flatMap(({ aliases }, subject) =>
    aliases.map((alias): SubjectAlias => ({ ...alias, subject })),
  );
  const written = all.filter(({ match }) => match !== 'pattern');
  const names = [...written.flatMap(spellings), ...inflections(written, language)];
  const findNames = createNameFinder(names.map(({ alias, spelling = alias }) => spelling));
  const shapes = names.map(({ alias, spelling = alias, match }) =>
    match === 'exact' ? shape(spelling) : undefined,
  );
  const patterns = all
    .filter(({ match }) => match === 'pattern')
    .map((one) => ({ ...one, findPattern: compilePattern(one.alias) }));
  const folded = new Set(
    written.filter(({ match }) => match === 'default').map(({ alias }) => foldString(alias)),
  );
  const exact = new Set(written.filter(({ match }) => match === 'exact').map(({ alias }) => alias));

  return { find, isAlias };

  function find(text: string, foldedText: FoldedText): Candidate[] {
    const candidates: Candidate[] = [];
    findNames(foldedText, (number, foldedStart, foldedEnd) => {
      const name = names[number];
      const span = originalSpan(foldedText, foldedStart, foldedEnd);
      if (name === undefined || span === undefined) return;
      const wanted = shapes[number];
      if (wanted !== undefined && shape(text.slice(span.start, span.end)) !== wanted) return;
      const { subject, alias, isMelted, ending } = name;
      if (ending !== undefined && !isInflected(text.slice(span.start, span.end), ending)) return;
      candidates.push(
        isMelted === true ? { subject, alias, ...span, isMelted } : { subject, alias, ...span },
      );
    });
    if (patterns.length === 0) return candidates;
    for (const { subject, alias, findPattern } of patterns) {
      findPattern(text, (start, end) => candidates.push({ subject, alias, start, end }));
    }
    return candidates.toSorted((left, right) => left.start - right.start);
  }

  function isAlias(text: string): boolean {
    return exact.has(text) || folded.has(foldString(text));
  }
}

/** The spellings of an alias: its own, in Turkish capitals, and after an Arabic preposition. */
function spellings(name: SubjectAlias): SubjectAlias[] {
  const { alias, match } = name;
  if (match !== 'default') return [name];
  const melted = /^ال\p{L}{3}/u.test(alias) ? [`لل${alias.slice(2)}`] : [];
  const capitals = alias.includes('ı')
    ? [alias.replaceAll('ı', 'i'), alias.toLocaleLowerCase('tr')]
    : [];
  return [
    name,
    ...capitals.map((spelling) => ({ ...name, spelling })),
    ...melted.map((spelling) => ({ ...name, spelling, isMelted: true })),
  ];
}

/**
 * The aliases with case endings. Leaves out a form that is itself an alias, the first word of
 * another subject's, an everyday word, or a form of two subjects: `Nokian` is a company, too.
 */
function inflections(names: readonly SubjectAlias[], language: string): SubjectAlias[] {
  const owners = new Map<string, number>();
  for (const { alias, subject } of names) {
    owners.set(foldString(alias), everybody);
    const first = foldString(alias.split(/[\s-]/u, 1)[0] ?? '');
    if (owners.get(first) !== subject) owners.set(first, owners.has(first) ? everybody : subject);
  }
  const forms = names.flatMap((name) =>
    inflectInText(name.alias, language).map(({ form, ending }) => ({
      ...name,
      spelling: form,
      ending,
    })),
  );
  for (const { spelling, subject } of forms) {
    const folded = foldString(spelling);
    const owner = owners.get(folded);
    owners.set(folded, owner === undefined || owner === subject ? subject : everybody);
  }
  return forms.filter(
    ({ spelling, subject }) =>
      owners.get(foldString(spelling)) === subject && !isCommonWord(spelling),
  );
}

/** The owner of a form that does not name one subject. */
const everybody = -1;

/**
 * Whether a place that spells an inflected name has a capital, and the accents of the ending:
 * Czech `Novy` is a form of `Nova`, `Nový` is a word.
 */
function isInflected(text: string, ending: string): boolean {
  return /\p{Lu}/u.test(text) && text.normalize('NFC').toLowerCase().endsWith(ending);
}

/** Undefined if the place begins or ends within a character: `fi` isn't part of a ligature. */
function originalSpan(
  { offsets }: FoldedText,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  if (offsets === undefined) return { start, end };
  if (start > 0 && offsets[start] === offsets[start - 1]) return undefined;
  if (offsets[end] === offsets[end - 1]) return undefined;
  return { start: offsets[start] ?? 0, end: offsets[end] ?? 0 };
}

/**
 * The form in which an exact alias and a text are compared. Ignores separators, emphasis and the
 * form of apostrophes.
 */
function shape(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\n[\s>]+/g, '')
    .replace(/[\s\-\u2010*_`~\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u2018\u2019\u02bc]/g, "'");
}
