import { compilePattern } from '../../../values/alias.ts';
import type { Alias } from '../../../values/alias.ts';
import { foldString } from '../text/fold.ts';
import type { FoldedText } from '../text/fold.ts';
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
}

/** Builds the finder of all subjects' aliases. Throws for a pattern that RE2 cannot compile. */
export function createAliasFinder(
  subjects: readonly Pick<DetectableSubject, 'aliases'>[],
): AliasFinder {
  const all = subjects.flatMap(({ aliases }, subject) =>
    aliases.map((alias): SubjectAlias => ({ ...alias, subject })),
  );
  const names = all.filter(({ match }) => match !== 'pattern').flatMap(spellings);
  const findNames = createNameFinder(names.map(({ alias, spelling = alias }) => spelling));
  const shapes = names.map(({ alias, match }) => (match === 'exact' ? shape(alias) : undefined));
  const patterns = all
    .filter(({ match }) => match === 'pattern')
    .map((one) => ({ ...one, findPattern: compilePattern(one.alias) }));
  const folded = new Set(
    names.filter(({ match }) => match === 'default').map(({ alias }) => foldString(alias)),
  );
  const exact = new Set(names.filter(({ match }) => match === 'exact').map(({ alias }) => alias));

  return { find, isAlias };

  function find(text: string, foldedText: FoldedText): Candidate[] {
    const candidates: Candidate[] = [];
    findNames(foldedText, (number, foldedStart, foldedEnd) => {
      const name = names[number];
      const span = originalSpan(foldedText, foldedStart, foldedEnd);
      if (name === undefined || span === undefined) return;
      const wanted = shapes[number];
      if (wanted !== undefined && shape(text.slice(span.start, span.end)) !== wanted) return;
      const { subject, alias, isMelted } = name;
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
