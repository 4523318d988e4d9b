import { z } from 'zod';
import type { AnswerSource } from '../detection/subject.ts';

/** Lenient: the world writes `link` objects, bare addresses, and more beside the address. */
const sourceList = z
  .array(z.union([z.string().min(1), z.looseObject({ url: z.string().min(1) })]))
  .max(10_000);

/**
 * The sources of an answer in their order, from a list of addresses or of `{url, title}`, or (CSV)
 * such a list as JSON text, or addresses with blanks between. `refuse` is told what was expected.
 */
export function parseSources(value: unknown, refuse: (expected: string) => void): AnswerSource[] {
  const given = value ?? [];
  const parsed = sourceList.safeParse(typeof given === 'string' ? parseText(given) : given);
  if (parsed.success) return parsed.data.map(toSource);
  refuse('a list of {"url": ..., "title": ...} or of addresses');
  return [];
}

function parseText(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return trimmed === '' ? [] : trimmed.split(/[\s|]+/);
  try {
    return JSON.parse(trimmed);
  } catch {
    return undefined;
  }
}

function toSource(source: z.infer<typeof sourceList>[number]): AnswerSource {
  if (typeof source === 'string') return { url: source };
  const { url, title } = source;
  return typeof title === 'string' && title !== '' ? { url, title } : { url };
}
