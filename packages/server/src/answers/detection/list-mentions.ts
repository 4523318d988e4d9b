import type { CountedRange } from '../../values/counted-range.ts';
import { createCodePointCounter } from './text/decode.ts';
import { allMentions } from './names/mentions.ts';
import { createAnswerScanner } from './scan-answer.ts';
import { putOnOneLine, sentenceAround } from './text/sentence.ts';
import type { DetectableSubject } from './subject.ts';
import { apostropheEnd } from './language/affixes.ts';
import type { Affixes } from './language/affixes.ts';
import { apostrophe, endingAt, partsScripts, skip, takesAffix } from './language/whole-word.ts';
import type { Name } from './language/whole-word.ts';
import { isHangulParticle } from './language/hangul-particle.ts';
import { characterAt, characterBefore, isHangul, isWordlike } from './language/scripts.ts';

/** One place that names a subject. */
export interface Mention {
  /** The name as written there, with its ending (`Mailchimp's`), on one line. Long text is cut. */
  readonly text: string;
  /** Offset in the original answer, in code points. */
  readonly position: number;
  /** Offset after the mention and its ending, in code points. */
  readonly end: number;
  readonly sentence: string;
}

/** The mentions of one subject in one answer. */
export interface MentionList {
  readonly total: number;
  /** The first mentions, in the order of the text. */
  readonly mentions: readonly Mention[];
}

export interface ListOptions {
  /** The language of the prompt (BCP 47). */
  readonly language: string | undefined;
  /** The range of the answer that counts. */
  readonly range?: CountedRange;
  /** The position from which to list mentions, by subject. */
  readonly from: ReadonlyMap<string, number>;
  /**
   * Most mentions to return per subject, because a hostile answer may have hundreds of thousands.
   */
  readonly mentionsMax: number;
}

/**
 * Lists the mentions in an answer, by subject. Leaves out a subject that has no mention at its
 * position in `from`.
 */
export type ListMentions = (
  answer: string,
  options: ListOptions,
) => ReadonlyMap<string, MentionList>;

const textLengthMax = 200;

/**
 * Makes the function that lists mentions, by the same rules as detection. Throws for an alias
 * pattern that cannot be used.
 */
export function createMentionLister(subjects: readonly DetectableSubject[]): ListMentions {
  const { subjects: ordered, scan } = createAnswerScanner(subjects);

  return function listMentions(answer, { language, range, from, mentionsMax }) {
    const { search, toOriginal } = scan(answer, language, range);
    const { text, affixes } = search;
    const codePointsBefore = createCodePointCounter(answer);
    const codePointsBeforeEnd = createCodePointCounter(answer);
    const lists = new Map<string, { total: number; mentions: Mention[] }>();
    for (const mention of allMentions(search)) {
      const id = ordered[mention.subject]?.id ?? '';
      const first = from.get(id);
      if (first === undefined) continue;
      const position = codePointsBefore(toOriginal(mention.start));
      if (position === first) lists.set(id, { total: 0, mentions: [] });
      const list = lists.get(id);
      if (list === undefined) continue;
      list.total += 1;
      if (list.mentions.length >= mentionsMax) continue;
      const { start, end } = mention;
      const wordEnd = mentionEnd(text, mention, affixes);
      list.mentions.push({
        text: truncate(putOnOneLine(text.slice(start, wordEnd))),
        position,
        end: codePointsBeforeEnd(toOriginal(wordEnd)),
        sentence: sentenceAround(text, start, end),
      });
    }
    return lists;
  };
}

function truncate(text: string): string {
  if (text.length <= textLengthMax) return text;
  return `${putOnOneLine(text.slice(0, textLengthMax - 1))}\u2026`;
}

/**
 * The end of a mention, including the ending that the text adds to the name: `Mailchimp's`,
 * `Googles` (German), `삼성은`. Letters of a script that separates words from the name's aren't an
 * ending: `Acme는`, `Acme的`. The name is a whole word; offsets are in code units.
 */
function mentionEnd(text: string, name: Name, affixes: Affixes | undefined): number {
  const last = characterBefore(text, name.end);
  if (!isWordlike(last)) return name.end;
  const at = skip(text, name.end);
  const next = characterAt(text, at);
  if (apostrophe.test(next)) {
    const behind = at + next.length;
    const letters = endingAt(text, behind);
    return letters !== '' && apostropheEnd.test(letters) ? behind + letters.length : name.end;
  }
  const letters = endingAt(text, at);
  if (letters === '') return name.end;
  const isEnding = isHangul(last)
    ? isHangul(next) && isHangulParticle(letters)
    : partsScripts(last, next) === false &&
      affixes?.isSuffix(letters, text.slice(name.start, name.end)) === true &&
      takesAffix(text, name, affixes);
  return isEnding ? at + letters.length : name.end;
}
