import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { glued } from '../detection/links/glued.ts';
import type { AnswerSource } from '../detection/subject.ts';

const address = z.string().trim().min(1);

/** Lenient: the world writes `link` objects, bare addresses, and more beside the address. */
const sourceList = z.array(z.union([address, z.looseObject({ url: address })])).max(10_000);

/**
 * The sources of an answer in their order, from a list of addresses or of `{url, title}`, or (CSV)
 * such a list as JSON text, or addresses with blanks, commas or semicolons between. `refuse` is
 * told what was expected.
 */
export function parseSources(value: unknown, refuse: (expected: string) => void): AnswerSource[] {
  const given = value ?? [];
  const parsed = sourceList.safeParse(typeof given === 'string' ? parseText(given) : given);
  if (parsed.success) return parsed.data.flatMap(toSources);
  refuse('a list of {"url": ..., "title": ...} or of addresses');
  return [];
}

function parseText(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return trimmed.split(/[\s|]+/).flatMap(addressesOf);
  return parseJson(trimmed);
}

/** Several in one text of a list. Looking behind keeps a run of blanks from being tried at each. */
const beforeAddress = /(?<![\s|])[\s|]+(?=[<"']?https?:\/\/)/i;

/** Between domains without `https://`: `a.com/x,b.com/y`. */
const beforeHost = /[,;](?=[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]+(?:[/?#:,;]|$))/u;

/** The addresses of a text without blanks. A comma within one is its own. */
function addressesOf(text: string): string[] {
  const parts = text.includes('://') ? text.split(glued) : text.split(beforeHost);
  return parts
    .map((part) => part.replace(/^[<"',;]+/, '').replace(/(?<![>"',;])[>"',;]+$/, ''))
    .filter((part) => part !== '');
}

function toSources(source: z.infer<typeof sourceList>[number]): AnswerSource[] {
  if (typeof source === 'string') {
    return source
      .split(beforeAddress)
      .flatMap(addressesOf)
      .map((url) => ({ url }));
  }
  const { url, title } = source;
  return [typeof title === 'string' && title !== '' ? { url, title } : { url }];
}
