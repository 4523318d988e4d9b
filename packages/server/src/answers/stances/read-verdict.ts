import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { findQuote } from './quote.ts';
import { stanceCodes } from './question.ts';
import type { Presentation } from './rules.ts';
import type { TextSpan } from './text-span.ts';

const word = z.union([z.string(), z.null()]).optional().catch(null);
const code = z.union([z.string(), z.number()]).transform(String);
const verdict = z.union([
  z.tuple([code, word, word]).rest(z.unknown()),
  z
    .looseObject({ code, purpose: word, quote: word })
    .transform((each) => [each.code, each.purpose, each.quote] as const),
]);

const purposeLengthMax = 120;

/**
 * Reads the reply of a judge: for each number of a subject its presentation; undefined where the
 * reply has none, or its quote is not in what the judge was shown.
 */
export function readVerdicts(
  reply: string,
  answer: string,
  { questionId, shown }: { questionId: string; shown: ReadonlyArray<readonly TextSpan[]> },
): ReadonlyArray<Presentation | undefined> {
  const object = objectIn(reply);
  const codes = stanceCodes(questionId);
  return shown.map((pieces, place) => {
    const { data } = verdict.safeParse(object[String(place + 1)]);
    if (data === undefined) return undefined;
    const [written, purpose, quote] = data;
    const stance = codes.get(written.trim());
    const words = findQuote(answer, pieces, quote ?? '');
    if (stance === undefined || words === undefined) return undefined;
    const isFor = stance === 'recommended_for';
    return {
      stance,
      purpose: isFor ? purposeOf(purpose ?? '', answer, pieces) : null,
      quote: words,
    };
  });
}

/** Engines write around an object, or fence it. */
function objectIn(reply: string): Readonly<Record<string, unknown>> {
  const value = parseJson(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A purpose each of whose words is in what the judge was shown. */
function purposeOf(purpose: string, answer: string, pieces: readonly TextSpan[]): string | null {
  if (purpose.length > purposeLengthMax) return null;
  const words = purpose.toWellFormed().replaceAll('\0', '').replace(/\s+/g, ' ').trim();
  const texts = pieces.map(({ start, end }) => answer.slice(start, end).toLowerCase());
  const shown = new Set(texts.flatMap(wordsOf));
  // Some languages put no spaces between words.
  const isShown =
    texts.some((text) => text.includes(words.toLowerCase())) ||
    wordsOf(words).every((each) => shown.has(each));
  return words === '' || !isShown ? null : words;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
