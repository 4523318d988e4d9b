import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Refusal } from '../../refusals.ts';
import { parseJson } from '../../values/json.ts';
import { answerFields } from './parse-answer.ts';
import type { AnswerField } from './parse-answer.ts';

/** Where to find one of our fields in the rows of another tool. */
const place = z.union([
  z.string().min(1),
  z.strictObject({ value: z.string().min(1) }),
  z.strictObject({
    column: z.string().min(1),
    values: z.record(z.string(), z.string().min(1)),
  }),
]);

/** The form of a mapping: where each of our fields is found, and where the rows are in nested JSON. */
export const mappingSchema = z
  .partialRecord(z.enum([...answerFields, 'rows']), place)
  .refine(({ rows }) => rows === undefined || typeof rows === 'string', { path: ['rows'] });

export type Mapping = z.infer<typeof mappingSchema>;
type Values = Readonly<Record<string, unknown>>;

/**
 * Reads a mapping file in JSON. For each of our fields it has the name of their column, `{"value":
 * ...}` for the same value in every row, or `{"column": ..., "values": {theirs: ours}}`. A name may
 * be a path: `response.text`, `items[0].text`, `items[*].url`, or `$.prompt` from the object around
 * the `rows`.
 */
export async function readMapping(path: string): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Refusal('mapping_unreadable', { path }, { cause: error });
  });
  const parsed = mappingSchema.safeParse(parseJson(text.replace(/^\ufeff/, '')));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue === undefined ? '' : issue.path.join('.');
  throw new Refusal('mapping_malformed', { path, at, fields: answerFields });
}

/**
 * Renames the columns of a row to our fields. Leaves out columns that the mapping does not name.
 * `around` is the object in which the row was found.
 */
export function applyMapping(mapping: Mapping, row: Values, around: Values = row): Values {
  const mapped: Record<string, unknown> = {};
  for (const field of answerFields) {
    const value = valueOf(mapping[field], row, around);
    if (value !== undefined) mapped[field] = lists.has(field) ? value : oneOf(field, value);
  }
  return mapped;
}

/** Finds the rows within an object of nested JSON, and renames their fields. */
export function mapNested(mapping: Mapping, around: Values): Values[] {
  const rows = typeof mapping.rows === 'string' ? [find(around, mapping.rows, around)].flat() : [];
  return rows.flatMap((row) => {
    const { data } = nested.safeParse(row);
    return data === undefined ? [] : [applyMapping(mapping, data, around)];
  });
}

const nested = z.record(z.string(), z.unknown());

/** Fields that are lists. */
const lists: ReadonlySet<AnswerField> = new Set(['sources', 'queries']);

/** One text of several: the parts of an answer, or else the first. */
function oneOf(field: AnswerField, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (field !== 'answer') return value[0];
  return value.filter((part) => typeof part === 'string').join('\n\n');
}

function valueOf(from: Mapping[keyof Mapping], row: Values, around: Values): unknown {
  if (from === undefined) return undefined;
  if (typeof from === 'string') return find(row, from, around);
  if ('value' in from) return from.value;
  const value = find(row, from.column, around);
  return typeof value === 'string' && Object.hasOwn(from.values, value)
    ? from.values[value]
    : value;
}

/** Finds a column, or else what a path leads to: a list if it has `[*]`, without what is missing. */
function find(row: Values, path: string, around: Values): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  const [first, ...steps] = path.matchAll(/[^.[\]]+|\[\*\]/g).map(([step]) => step);
  const isAround = first === '$';
  let values: unknown[] = [isAround ? around : row];
  let isList = false;
  for (const step of isAround || first === undefined ? steps : [first, ...steps]) {
    isList ||= step === '[*]';
    values = values.flatMap((value) =>
      step === '[*]' ? elementsOf(value) : memberOf(value, step),
    );
  }
  return isList ? values : values[0];
}

function elementsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member of an object, or an element of an array, in a list; an empty list if there is none. */
function memberOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
  const member: unknown = Reflect.get(value, name);
  return member === null ? [] : [member];
}

/** Words in the names that other tools give to their columns, the likeliest first. */
const words: Readonly<Partial<Record<AnswerField, readonly string[]>>> = {
  prompt: ['prompt', 'question', 'query', 'keyword'],
  engine: ['engine', 'platform', 'provider', 'assistant', 'llm'],
  run_at: ['run', 'date', 'time', 'created', 'asked', 'ts'],
  answer: ['answer', 'response', 'completion', 'reply', 'output', 'text'],
  sources: ['source', 'citation', 'reference', 'url', 'link'],
  model: ['model'],
  locale: ['locale', 'country', 'region'],
};

/**
 * Guesses which of a file's columns holds which of our fields, from the columns' names. Each column
 * is guessed once at most.
 */
export function guessColumns(names: readonly string[]): Partial<Record<AnswerField, string>> {
  const left = new Set(names);
  const columns: Partial<Record<AnswerField, string>> = {};
  for (const field of answerFields) {
    const own = names.find((name) => name.toLowerCase() === field);
    if (own !== undefined && left.delete(own)) columns[field] = own;
  }
  for (const field of answerFields) {
    const likely = (words[field] ?? [])
      .map((word) => [...left].find((name) => isLike(name.toLowerCase(), word)))
      .find((name) => name !== undefined);
    if (columns[field] !== undefined || likely === undefined) continue;
    columns[field] = likely;
    left.delete(likely);
  }
  return columns;
}

/** Whether a name holds a word. A word of two letters must be the whole name. */
function isLike(name: string, word: string): boolean {
  return word.length > 2 ? name.includes(word) && !/(?:^|[_\s-])id$/.test(name) : name === word;
}
