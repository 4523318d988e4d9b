import { guessLanguage } from '../detection/language/guess-language.ts';
import { allMentions } from '../detection/names/mentions.ts';
import { createAnswerScanner } from '../detection/scan-answer.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import type { TrackedSubject } from '../subjects.ts';
import { rangeInUnits } from '../../values/counted-range.ts';
import { findHostile } from './hostile.ts';
import { findMarks, levels } from './marks.ts';
import type { Mark } from './marks.ts';
import type { TextSpan } from './text-span.ts';

/** The most of an answer that one item shows. */
const itemLengthMax = 600;
const headingLengthMax = 120;
const nearMax = 60;
export const itemsMax = 3;
/** A hostile answer may name a subject a hundred thousand times. */
const mentionsMax = 100;

/** The parts of an answer that name a subject. */
export interface SubjectItems {
  readonly subject: TrackedSubject;
  /** Every place that names it. */
  readonly mentions: readonly TextSpan[];
  /** At most `itemsMax`, each of pieces of the answer in their order, without hostile sentences. */
  readonly items: ReadonlyArray<readonly TextSpan[]>;
  /** Whether a part that names it speaks to a judge. */
  readonly isHostile: boolean;
}

/**
 * Makes the function that finds the items of an answer, by subject: from a heading to the next,
 * around each place that names it. Offsets are those of the answer.
 */
export function createItemFinder(subjects: readonly TrackedSubject[]) {
  const scanner = createAnswerScanner(subjects);
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));

  return function findItems({
    answer,
    language,
    asked,
    ...range
  }: Pick<StoredRun, 'answer' | 'language' | 'asked' | 'counts_from' | 'counts_to'>): ReadonlyMap<
    string,
    SubjectItems
  > {
    const { search, toOriginal } = scanner.scan(answer, guessLanguage(language, asked), range);
    const found = new Map<string, { subject: TrackedSubject; mentions: TextSpan[] }>();
    for (const { subject: index, start, end } of allMentions(search)) {
      const subject = byId.get(scanner.subjects[index]?.id ?? '');
      if (subject === undefined) continue;
      const entry = found.get(subject.id) ?? { subject, mentions: [] };
      found.set(subject.id, entry);
      if (entry.mentions.length >= mentionsMax) continue;
      entry.mentions.push({ start: toOriginal(start), end: toOriginal(end) });
    }
    if (found.size === 0) return new Map();
    const marks = findMarks(answer);
    const hostile = findHostile(answer);
    const counted = rangeInUnits(answer, range);
    return new Map(
      Array.from(found, ([id, { subject, mentions }]) => {
        const items = mentions.map((mention) => ({
          pieces: itemAround(answer, marks, mention).flatMap((piece) => clip(piece, counted)),
          isOwn: isNearMark(marks, mention),
        }));
        const isHostile = items.some(({ pieces }) => pieces.some((piece) => isCut(piece, hostile)));
        return [id, { subject, mentions, isHostile, items: chooseItems(answer, items, hostile) }];
      }),
    );
  };
}

/** The part of the answer around a mention, with the heading that it is under. */
function itemAround(
  answer: string,
  marks: readonly Mark[],
  mention: TextSpan,
): readonly TextSpan[] {
  const next = marks.findIndex(({ start }) => start > mention.start);
  const before = next === -1 ? marks : marks.slice(0, next);
  // Headings that follow one another belong together: `Best 2-in-1:Acme Yoga:`.
  let first = before.length - 1;
  while (isHeadingOf(answer, before[first - 1], before[first])) first -= 1;
  const start = before[first]?.start ?? 0;
  const end = partEnd(answer, marks, { next, mention });
  const heading = headingOver(answer, before, first);
  const pieces = fit(answer, { start, end }, mention);
  const [shown] = pieces;
  if (heading === undefined || shown === undefined) return pieces;
  return [
    { start: heading.start, end: Math.min(heading.end, heading.start + headingLengthMax) },
    ...pieces,
  ];
}

/** The heading that a part is under, if the part does not begin with it. */
function headingOver(answer: string, before: readonly Mark[], first: number): Mark | undefined {
  const own = before[first];
  // `Best 2-in-1:Acme Yoga:` needs no heading above it; the `Acme Flip:` after it needs `Best 2-in-1:`.
  if (own === undefined || first < before.length - 1) return undefined;
  return before
    .slice(0, first)
    .findLast(
      (mark, place) =>
        mark.kind === 'heading' &&
        (mark.level < own.level ||
          (own.level === levels.colon &&
            mark.level === own.level &&
            isHeadingOf(answer, mark, before[place + 1]))),
    );
}

/**
 * Where a part ends: at the next mark. A heading that names a subject is about all below it, up to the
 * next heading like it.
 */
function partEnd(
  answer: string,
  marks: readonly Mark[],
  { next, mention }: { next: number; mention: TextSpan },
): number {
  if (next === -1) return answer.length;
  const own = marks[next - 1];
  const isInHeading = own !== undefined && mention.start < own.end;
  const end = marks.findIndex((mark, place) => {
    if (place < next) return false;
    if (!isInHeading) return true;
    return mark.level <= own.level && !isHeadingOf(answer, marks[place - 1], mark);
  });
  return marks[end]?.start ?? answer.length;
}

function isHeadingOf(answer: string, heading: Mark | undefined, mark: Mark | undefined): boolean {
  if (heading?.kind !== 'heading' || mark === undefined || mark.start < heading.end) return false;
  return answer.slice(heading.end, mark.start).trim() === '';
}

/** Whether a part begins with a mention, and so is about it. */
function isNearMark(marks: readonly Mark[], { start }: TextSpan): boolean {
  return marks.some((mark) => mark.start <= start && start - mark.start < nearMax);
}

/** At most `itemLengthMax` of a part: its beginning, and what is around the mention. */
function fit(answer: string, part: TextSpan, mention: TextSpan): readonly TextSpan[] {
  if (part.end - part.start <= itemLengthMax) return [part];
  if (mention.end - part.start <= itemLengthMax / 2) {
    return [
      { start: part.start, end: stopBefore(answer, part.start + itemLengthMax, mention.end) },
    ];
  }
  const head = {
    start: part.start,
    end: stopBefore(answer, part.start + headingLengthMax, part.start),
  };
  const left = itemLengthMax - headingLengthMax;
  const start = Math.max(head.end, stopBefore(answer, mention.start - left / 3, head.end));
  const end = Math.min(part.end, start + left);
  return [head, { start, end: end === part.end ? end : stopBefore(answer, end, mention.end) }];
}

const stop = /[.!?\u2026\n\u3002\uff01\uff1f]/u;

/** The end of the last sentence that ends before `at`, or else a place between two words. */
function stopBefore(answer: string, at: number, min: number): number {
  for (let place = Math.floor(at); place > min; place -= 1) {
    if (stop.test(answer.charAt(place - 1))) return place;
  }
  for (let place = Math.floor(at); place > min; place -= 1) {
    if (/\s/u.test(answer.charAt(place))) return place;
  }
  return Math.max(min, Math.min(answer.length, Math.floor(at)));
}

/** Words of a judgement. Items that have them are shown before others. */
const cues =
  /\b(?:best|top|overall|ideal|perfect|great|good|excellent|recommend\w*|suit\w*|choice|pick|favou?rite|winner|leader|avoid|skip|not|worse|worst|however|but|lacks?|poor|if you|for those|designed for)\b|n't\b/giu;

const warnings =
  /\b(?:avoid|skip|beware|caution|warn\w*|not recommended|wouldn't recommend|steer clear|stay away|security concerns?|investigat\w+|banned?|recall\w*|lawsuits?|complaints?|risky|unsafe|discontinued|worst)\b/iu;

interface Item {
  readonly pieces: readonly TextSpan[];
  readonly isOwn: boolean;
}

function chooseItems(
  answer: string,
  all: readonly Item[],
  hostile: readonly TextSpan[],
): ReadonlyArray<readonly TextSpan[]> {
  const items = new Map<string, Item>();
  for (const { pieces, isOwn } of all) {
    const left = pieces
      .flatMap((piece) => without(piece, hostile))
      .filter((piece) => hasWords(answer, piece));
    const key = JSON.stringify(left.at(-1));
    if (left.length === 0 || items.get(key)?.isOwn === true) continue;
    items.set(key, { pieces: left, isOwn });
  }
  return Array.from(items.values(), ({ pieces, isOwn }, place) => {
    const words = pieces.map(({ start, end }) => answer.slice(start, end)).join(' ');
    const cueCount = Math.min(3, [...words.matchAll(cues)].length);
    const score = cueCount + (isOwn ? 3 : 0) + (warnings.test(words) ? 3 : 0);
    return { pieces, place, score };
  })
    .toSorted((left, right) => right.score - left.score || left.place - right.place)
    .slice(0, itemsMax)
    .toSorted((left, right) => left.place - right.place)
    .map(({ pieces }) => pieces);
}

/** The part of a piece that counts; none if nothing does. */
function clip(piece: TextSpan, counted: TextSpan): TextSpan[] {
  const start = Math.max(piece.start, counted.start);
  const end = Math.min(piece.end, counted.end);
  return start < end ? [{ start, end }] : [];
}

function isCut(piece: TextSpan, cut: readonly TextSpan[]): boolean {
  return cut.some(({ start, end }) => start < piece.end && end > piece.start);
}

/** What is left of a piece without other spans, which are in the order of the text. */
function without(piece: TextSpan, cut: readonly TextSpan[]): TextSpan[] {
  const left: TextSpan[] = [];
  let { start } = piece;
  for (const { start: from, end: to } of cut) {
    if (to <= start || from >= piece.end) continue;
    if (from > start) left.push({ start, end: from });
    start = to;
  }
  if (start < piece.end) left.push({ start, end: piece.end });
  return left;
}

function hasWords(answer: string, { start, end }: TextSpan): boolean {
  return /[\p{L}\p{N}]/u.test(answer.slice(start, end));
}
