import { compilePattern } from '../../values/alias.ts';
import type { Alias } from '../../values/alias.ts';
import { foldString } from './fold.ts';
import type { FoldedText } from './fold.ts';
import { createNameFinder } from './names.ts';
import type { Subject } from './subject.ts';

/** A place in an answer that spells an alias. Offsets in code units of the answer. */
export interface Candidate {
  /** Number of the subject. */
  readonly subject: number;
  readonly alias: string;
  readonly start: number;
  readonly end: number;
}

export interface AliasFinder {
  /** Every place that spells an alias, by where it begins; whole word or not. */
  find(text: string, folded: FoldedText): Candidate[];
  /** Whether a bare domain is itself an alias. */
  isName(text: string): boolean;
}

interface Owned extends Alias {
  readonly subject: number;
}

/** Builds the finder of all subjects' aliases. Throws for a pattern that RE2 cannot compile. */
export function createAliasFinder(subjects: readonly Pick<Subject, 'aliases'>[]): AliasFinder {
  const all = subjects.flatMap(({ aliases }, subject) =>
    aliases.map((alias): Owned => ({ ...alias, subject })),
  );
  const names = all.filter(({ match }) => match !== 'pattern');
  const findNames = createNameFinder(names.map(({ alias }) => alias));
  const shapes = names.map(({ alias, match }) => (match === 'exact' ? shape(alias) : undefined));
  const patterns = all
    .filter(({ match }) => match === 'pattern')
    .map((one) => ({ ...one, findPattern: compilePattern(one.alias) }));
  const dotted = names.filter(({ alias }) => alias.includes('.'));
  const foldedDomains = new Set(
    dotted.filter(({ match }) => match === 'default').map(({ alias }) => foldString(alias)),
  );
  const exactDomains = new Set(
    dotted.filter(({ match }) => match === 'exact').map(({ alias }) => alias),
  );

  return { find, isName };

  function find(text: string, folded: FoldedText): Candidate[] {
    const candidates: Candidate[] = [];
    findNames(folded, (number, foldedStart, foldedEnd) => {
      const name = names[number];
      const span = originalSpan(folded, foldedStart, foldedEnd);
      if (name === undefined || span === undefined) return;
      const wanted = shapes[number];
      if (wanted !== undefined && shape(text.slice(span.start, span.end)) !== wanted) return;
      candidates.push({ subject: name.subject, alias: name.alias, ...span });
    });
    if (patterns.length === 0) return candidates;
    for (const { subject, alias, findPattern } of patterns) {
      findPattern(text, (start, end) => candidates.push({ subject, alias, start, end }));
    }
    return candidates.toSorted((left, right) => left.start - right.start);
  }

  function isName(text: string): boolean {
    return exactDomains.has(text) || foldedDomains.has(foldString(text));
  }
}

/** Undefined where the place begins or ends within a character: `fi` is no part of a ligature. */
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

/** What an exact alias must have in common with the text: all but separators, emphasis and the apostrophe's form. */
function shape(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\n[\s>]+/g, '')
    .replace(/[\s\-\u2010*_`~\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u2018\u2019\u02bc]/g, "'");
}
