import type { Stance } from '@overheard/contract';
import type { SubjectItems } from './items.ts';

/** How an answer presents a subject, and the words that show it. */
export interface Presentation {
  readonly stance: Stance;
  readonly purpose: string | null;
  readonly quote: string;
}

/** `Best for X:` or `Best overall:` at the beginning of a line, right before a name. */
const heading =
  /(?:^|\n)[\s#>*_•\d.)-]*(best (?:for ([^.:!?\n*]{2,50})|overall(?: (?:pick|choice|option))?)|overall best)\**:\**\s*[*_[]*$/iu;
/** The rest of a product's name: `Acer *Nitro V 15*`. */
const product =
  /^(?:[ \u00a0](?:[\p{Lu}\d][\p{L}\p{N}.+/-]*))*(?=[\]*_]*\s*(?:[:\n,;(]|[.!]\s|[.!]?$|[\u2013\u2014-]\s))/u;
const linkTarget = /^[*_]*\]\([^()\s]*\)/u;
const doubt = /\b(?:not|no|never|without|nobody|avoid)\b|n't\b/iu;

/** The engine says that it knows nothing, from the beginning of a sentence to the name. */
const unknown = [
  /^(?:(?:unfortunately|sorry|however|but)\b[\s,:]*)*(?:(?:i|we)(?:['’]m| am| was)? (?:could not|couldn['’]t|cannot|can['’]t|do not|don['’]t|did not|didn['’]t|unable to|not able to|have no|found no)(?: (?:have|find|see))?|there (?:is|was) no|no)(?: any)?(?: (?:specific|reliable|verified|detailed|current|public|further))? (?:information|details|data) (?:about|on|regarding|for|concerning) (?:an? (?:company|brand|product|tool|service) (?:called|named) )?["'*_\u201c]*$/iu,
  /^(?:ich habe |es gibt |mir liegen )?keine informationen (?:über|zu) ["'*_„]*$/iu,
  /^no (?:tengo|encontré|hay|dispongo de) información (?:sobre|acerca de) ["'*_«]*$/iu,
  /^(?:je n['’]ai )?(?:pas d['’]|aucune )informations? (?:sur|concernant) ["'*_«]*$/iu,
];

/**
 * Proves a stance by rule, only where the words allow nothing else, because a rule is not checked by
 * anybody: the one place that names the subject says it, and nothing follows. Undefined if none applies.
 */
export function proveStance(
  answer: string,
  { mentions, items }: Pick<SubjectItems, 'mentions' | 'items'>,
): Presentation | undefined {
  const [mention] = mentions;
  if (mention === undefined || mentions.length > 1) return undefined;
  const { start, end } = mention;
  const piece = items.flat().find((each) => each.start <= start && end <= each.end);
  if (piece === undefined) return undefined;
  const rest = answer.slice(end, piece.end);
  const from = sentenceStart(answer, start);
  if (unknown.some((pattern) => pattern.test(answer.slice(from, start)))) {
    if (hasWords(rest)) return undefined;
    return { stance: 'unknown_to_engine', purpose: null, quote: answer.slice(from, end) };
  }
  const match = heading.exec(answer.slice(Math.max(0, start - 120), start));
  const name = product.exec(rest)?.[0];
  if (match === null || name === undefined) return undefined;
  if (hasWords(rest.slice(name.length).replace(linkTarget, ''))) return undefined;
  const [, words = '', purpose = null] = match;
  const label = start - (match[0].length - match[0].indexOf(words));
  const quote = answer.slice(label, end + name.length);
  if (purpose === null) return { stance: 'first_choice', purpose: null, quote };
  if (doubt.test(purpose)) return undefined;
  return { stance: 'recommended_for', purpose: purpose.trim(), quote };
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const sentenceLengthMax = 160;

function sentenceStart(answer: string, at: number): number {
  const before = answer.slice(Math.max(0, at - sentenceLengthMax), at);
  const last = [...before.matchAll(/[.!?\n]["')\]*_]*\s*/gu)].at(-1);
  return at - before.length + (last === undefined ? 0 : last.index + last[0].length);
}
