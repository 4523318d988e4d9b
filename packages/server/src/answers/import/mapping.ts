import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Refusal } from '../../refusals.ts';
import { parseJson } from '../../values/json.ts';
import { answerFields } from './parse-answer.ts';
import type { AnswerField } from './parse-answer.ts';

/** Where to find one of our fields in the rows of another tool. */
const placeSchema = z.union([
  z.string().min(1),
  z.strictObject({ value: z.string().min(1) }),
  z.strictObject({
    column: z.string().min(1),
    values: z.record(z.string(), z.string().min(1)),
  }),
]);

/** The form of a mapping: where each of our fields is found, and where the rows are in nested JSON. */
export const mappingSchema = z
  .partialRecord(z.enum([...answerFields, 'rows']), placeSchema)
  .refine(({ rows }) => rows === undefined || typeof rows === 'string', { path: ['rows'] });

export type Mapping = z.infer<typeof mappingSchema>;
type Values = Readonly<Record<string, unknown>>;

/**
 * Reads a mapping file in JSON. For each of our fields it has the name of their column, `{"value":
 * ...}` for the same value in every row, or `{"column": ..., "values": {theirs: ours}}`. A name may
 * be a path: `response.text`, `items[0].text`, `items[*].url`, or `$.prompt` from the object around
 * the `rows`, where the lists on the way to a row mean its own element.
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
 */
export function applyMapping(mapping: Mapping, row: Values, place: RowPlace = noPlace): Values {
  const mapped: Record<string, unknown> = {};
  for (const field of answerFields) {
    const value = valueOf(mapping[field], row, place);
    if (value !== undefined) mapped[field] = lists.has(field) ? value : oneOf(field, value);
  }
  return mapped;
}

/**
 * Finds the rows within an object of nested JSON, and renames their fields. Undefined if the path of
 * the rows leads to anything but objects.
 */
export function mapNested(mapping: Mapping, around: Values): Values[] | undefined {
  const steps = stepsOf(typeof mapping.rows === 'string' ? mapping.rows : '');
  let found: Array<{ value: unknown; indexes: readonly number[] }> = [
    { value: around, indexes: [] },
  ];
  for (const step of steps) {
    found = found.flatMap(({ value, indexes }) =>
      step === all
        ? elementsOf(value).map((element, index) => ({
            value: element,
            indexes: [...indexes, index],
          }))
        : memberOf(value, step).map((member) => ({ value: member, indexes })),
    );
  }
  const rows = found.map(({ value, indexes }) => {
    const { data } = nested.safeParse(value);
    return data && applyMapping(mapping, data, { around, steps, indexes });
  });
  const objects = rows.filter((row) => row !== undefined);
  return objects.length === rows.length && rows.length > 0 ? objects : undefined;
}

/** Where a row is: the object around it, the path to it, and its place in each list of that path. */
interface RowPlace {
  readonly around: Values;
  readonly steps: readonly string[];
  readonly indexes: readonly number[];
}

const noPlace: RowPlace = { around: {}, steps: [], indexes: [] };
const nested = z.record(z.string(), z.unknown());
const all = '[*]';

/** Fields that are lists. */
const lists: ReadonlySet<AnswerField> = new Set(['sources', 'queries']);

/** One value of a list of one, or the texts of an answer; another list stays, and is refused. */
function oneOf(field: AnswerField, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const isText = value.every((part) => typeof part === 'string');
  if (field === 'answer' && isText) return value.join('\n\n');
  return value.length <= 1 ? value[0] : value;
}

function valueOf(from: Mapping[keyof Mapping], row: Values, place: RowPlace): unknown {
  if (from === undefined) return undefined;
  if (typeof from === 'string') return find(row, from, place);
  if ('value' in from) return from.value;
  const value = find(row, from.column, place);
  return typeof value === 'string' && Object.hasOwn(from.values, value)
    ? from.values[value]
    : value;
}

/** Finds a column, or else what a path leads to: a list if it has `[*]`; undefined if nothing is there. */
function find(row: Values, path: string, { around, steps: rowSteps, indexes }: RowPlace): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  const steps = stepsOf(path);
  const isAround = steps[0] === '$';
  let values: unknown[] = [isAround ? around : row];
  let [isList, isOnTheWay, passed] = [false, isAround, 0];
  for (const [index, step] of steps.slice(isAround ? 1 : 0).entries()) {
    isOnTheWay &&= step === rowSteps[index];
    if (step === all && isOnTheWay) {
      // The path leads through the list in which the row is: its own element alone.
      const own = String(indexes[passed++] ?? 0);
      values = values.flatMap((value) => memberOf(value, own));
    } else if (step === all) {
      if (!values.some((value) => Array.isArray(value))) return undefined;
      isList = true;
      values = values.flatMap(elementsOf);
    } else values = values.flatMap((value) => memberOf(value, step));
  }
  return isList ? values : values[0];
}

function stepsOf(path: string): string[] {
  return Array.from(path.matchAll(/[^.[\]]+|\[\*\]/g), ([step]) => step);
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
