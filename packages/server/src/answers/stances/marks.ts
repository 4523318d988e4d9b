import type { TextSpan } from './text-span.ts';

/** Where a part of a text begins: a heading, or an entry of a list. */
export interface Mark extends TextSpan {
  readonly kind: 'heading' | 'entry';
  /** From 1 for the largest heading; entries are below every heading. */
  readonly level: number;
}

/** The levels below Markdown's own six: a bold line, a line with a colon, an entry. */
export const levels = { bold: 7, colon: 8, entry: 9 };

const headingLine = /^[ \t]*(?:#{1,6}[ \t].*|\*\*[^*\n]+\*\*:?|[^-*•+|\s][^\n]{0,98}:)[ \t]*$/u;
const entryLine = /^([ \t]*)(?:[-*•+]|\d{1,3}[.)]|\|)[ \t]*/u;

/** Some engines write a page without line breaks: `... for gamers.Best 2-in-1:Acme Yoga:A versatile ...` */
const gluedHeading = /(?<=[.!?:)"\u201d\d]|^)[ \t\u00a0]?(\p{Lu}[^.!?:\n]{1,80}):(?!\/\/)/gu;
const gluedLengthMin = 300;
/** Labels inside an entry. They begin no part of their own. */
const label =
  /^(?:pros?|cons?|price|pricing|why\b.*|features?|key\b.*|notes?|strengths?|weaknesse?s?|drawbacks?|downsides?|highlights?|best for|ideal for|good for|who it'?s for|verdict|considerations?|keep in mind)$/iu;

/** Finds where the parts of a text begin, in the order of the text. */
export function findMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  // The last entry that is a mark: what is deeper belongs to it, and so do bullets of a number.
  let parent = { depth: Infinity, isNumbered: false };
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const entry = entryLine.exec(line);
    if (headingLine.test(line)) {
      parent = { depth: Infinity, isNumbered: false };
      marks.push({ kind: 'heading', level: levelOf(line), start, end });
    } else if (entry !== null) {
      const depth = entry[1]?.length ?? 0;
      const isNumbered = /\d/.test(entry[0]);
      const isPart = depth > parent.depth + 1 || (parent.isNumbered && !isNumbered);
      if (!isPart) {
        parent = { depth, isNumbered };
        marks.push({ kind: 'entry', level: levels.entry, start, end: start });
      }
    }
    if (line.length >= gluedLengthMin) addGluedMarks(marks, line, start);
    start = end + 1;
  }
  return marks.toSorted((left, right) => left.start - right.start);
}

function levelOf(line: string): number {
  const hashes = /^[ \t]*(#+)/.exec(line)?.[1]?.length;
  return hashes ?? (line.trimStart().startsWith('**') ? levels.bold : levels.colon);
}

function addGluedMarks(marks: Mark[], line: string, offset: number): void {
  for (const match of line.matchAll(gluedHeading)) {
    const words = match[1] ?? '';
    if (label.test(words.trim())) continue;
    const end = offset + match.index + match[0].length;
    marks.push({ kind: 'heading', level: levels.colon, start: end - words.length - 1, end });
  }
}
