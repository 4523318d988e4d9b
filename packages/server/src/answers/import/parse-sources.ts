import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { glued } from '../detection/links/glued.ts';
import type { AnswerSource } from '../detection/subject.ts';

const address = z.string().trim().min(1);

/**
 * Be lenient: other tools write `link` objects, bare addresses, and more fields beside the address.
 */
const sourceList = z.array(z.union([address, z.looseObject({ url: address })])).max(10_000);

/**
 * Reads the sources of an answer in their order: from a list of addresses or of `{url, title}`, or,
 * in CSV, from such a list as JSON text, or from addresses separated by spaces, commas or
 * semicolons. Calls `refuse` with the expected form.
 */
export function parseSources(value: unknown, refuse: (expected: string) => void): AnswerSource[] {
  const list = value ?? [];
  const parsed = sourceList.safeParse(typeof list === 'string' ? parseText(list) : list);
  if (parsed.success) return parsed.data.flatMap(toSources);
  refuse('a list of {"url": ..., "title": ...} or of addresses');
  return [];
}

const queryList = z.array(z.string().trim().min(1)).max(10_000);

/**
 * Reads what an engine searched for: a list of texts, or in CSV such a list as JSON text, or one
 * query a line. Null if the row does not say. Calls `refuse` with the expected form.
 */
export function parseQueries(
  value: unknown,
  refuse: (expected: string) => void,
): readonly string[] | null {
  if ((value ?? '') === '') return null;
  const parsed = queryList.safeParse(typeof value === 'string' ? parseLines(value) : value);
  if (parsed.success) return parsed.data;
  refuse('a list of texts');
  return null;
}

function parseLines(text: string): unknown {
  if (text.trimStart().startsWith('[')) return parseJson(text);
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function parseText(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return trimmed.split(/[\s|]+/).flatMap(addressesOf);
  return parseJson(trimmed);
}

/**
 * The space between addresses in one text. The lookbehind keeps the pattern from retrying a run of
 * spaces at each of them.
 */
const beforeAddress = /(?<![\s|])[\s|]+(?=[<"']?https?:\/\/)/i;

/** The sign between domains without `https://`: `a.com/x,b.com/y`. */
const beforeHost = /[,;](?=[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]+(?:[/?#:,;]|$))/u;

/** Splits a text without spaces into addresses. A comma may be part of an address. */
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
