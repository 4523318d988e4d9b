import type { Stance } from '@overheard/contract';
import type { SubjectItems } from './items.ts';
import type { TextSpan } from './text-span.ts';

/** How an answer presents a subject, and the words that show it. */
export interface Presentation {
  readonly stance: Stance;
  readonly purpose: string | null;
  readonly quote: string;
}

/** `Best for X:` or `Best overall:`, right before a name. */
const heading =
  /(?:^|[\n.!?:|)]|\d[.)] )[\s#>*_-]*(best(?: (?:for ([^.:!?\n*]{2,50})|(overall)(?: (?:pick|choice|option))?)| overall)\**:\**\s*[*_[]*)$|(?:^|[\n.!?:|)])[\s#>*_-]*((overall) best\**:\**\s*[*_[]*)$/iu;
/** The rest of a product's name: `Acer *Nitro V 15*`. */
const product =
  /^(?:[ \u00a0](?:[\p{Lu}\d][\p{L}\p{N}.+/-]*|\([^()\n]{1,30}\)))*(?=[\]*_]*\s*(?:[:\n,;(]|[.!]\s|[.!]?$|[\u2013\u2014-]\s))/u;
/** Words with which the rest of an answer may say more of a subject, or take it back. */
const more =
  /\b(?:best|top|overall|winner|leader|number one|first|avoid|skip|not|no|never|without|worse|worst|however|but|unless|except|though|although|poor|bad|drawbacks?|cons|downsides?|caution|warn\w*|problems?|issues?|lacks?|limited|instead|alternatives?)\b|n't\b|#1/iu;

const praise =
  /\b(?:good|great|popular|known|recommend\w*|ideal|leading|offers?|provides?|suit\w*|founded|based)\b/iu;
const sentenceEnd = /^["'\u201d\u2019*_\])]*\s*(?:[.!;\n]|$)/u;

const unknown = [
  /(?:\bno|n't (?:have|find)(?: any)?|not (?:have|find)(?: any)?|unable to find(?: any)?|n't (?:been )?able to find(?: any)?|without) (?:(?:specific|reliable|verified|detailed|current|clear|public|further|useful|credible|direct) )?(?:information|details|data) (?:about|on|regarding|for|concerning) (?:(?:a|an|the) (?:company|brand|product|tool|service|software)(?: (?:called|named))? )?["'*_\u201c]*$/iu,
  /\bkeine (?:\p{L}+ )?(?:informationen|angaben) (?:über|zu) ["'*_„]*$/iu,
  /\bno (?:tengo|encontr[eé]|hay|dispongo de) información (?:sobre|acerca de) ["'*_«]*$/iu,
  /\b(?:pas|aucune) d?['’]?\s?informations? (?:sur|concernant|à propos de) ["'*_«]*$/iu,
];

/**
 * Proves a stance by rule: only where the words allow nothing else, because a rule is not checked by
 * anybody. Undefined if none applies.
 */
export function proveStance(
  answer: string,
  { mentions, items }: Pick<SubjectItems, 'mentions' | 'items'>,
): Presentation | undefined {
  const proofs = mentions.map((mention) => proofAt(answer, mention, items.flat()));
  const proof = proofs.find((each) => each !== undefined);
  if (proof === undefined) return undefined;
  // Another place may say more, or take it back.
  const isAlone = mentions.every((mention, place) => {
    const other = proofs[place];
    if (other !== undefined) return other.stance === proof.stance;
    return !more.test(around(answer, mention));
  });
  return isAlone ? proof : undefined;
}

const aroundMax = 240;

function around(answer: string, { start, end }: TextSpan): string {
  return answer.slice(Math.max(0, start - aroundMax), end + aroundMax);
}

function proofAt(
  answer: string,
  { start, end }: TextSpan,
  shown: readonly TextSpan[],
): Presentation | undefined {
  const before = answer.slice(Math.max(0, start - 120), start);
  const after = answer.slice(end, end + 400);
  const isUnknown = unknown.some((pattern) => pattern.test(before));
  const match = isUnknown ? null : heading.exec(before);
  const words = match?.[1] ?? match?.[4];
  const from = isUnknown ? sentenceStart(answer, start) : start - (words ?? '').length;
  const name = product.exec(after)?.[0];
  const to = end + (isUnknown ? 0 : (name ?? '').length);
  const piece = shown.find((each) => each.start <= from && to <= each.end);
  if (piece === undefined || (match === null && !isUnknown)) return undefined;
  const quote = answer.slice(from, to);
  // `Best for:` below a name is a label of its own part.
  const rest = answer.slice(end, piece.end).replace(/\bbest for\**\s*:/giu, '');
  if (isUnknown) {
    const isAll = sentenceEnd.test(rest) && !more.test(rest) && !praise.test(rest);
    return isAll ? { stance: 'unknown_to_engine', purpose: null, quote } : undefined;
  }
  if (name === undefined || more.test(rest)) return undefined;
  const purpose = match?.[2]?.trim() ?? null;
  if (purpose === null) return { stance: 'first_choice', purpose: null, quote };
  return more.test(purpose) ? undefined : { stance: 'recommended_for', purpose, quote };
}

function sentenceStart(answer: string, at: number): number {
  const before = answer.slice(Math.max(0, at - 120), at);
  const last = [...before.matchAll(/[.!?\n]["')\]*_]*\s*/gu)].at(-1);
  return at - before.length + (last === undefined ? 0 : last.index + last[0].length);
}
