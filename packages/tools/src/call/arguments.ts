import { nearest } from '@overheard/contract';
import { enumKind, holdsDays, kindOf, moment, wholeNumber, words } from './argument-kinds.ts';
import type { ArgumentKind } from './argument-kinds.ts';
import { Failure } from '../failure.ts';
import type { Filter } from '../tools/filters.ts';
import { schemaFields } from '../tools/tool-row.ts';
import { rowsMax } from './page.ts';
import type { Tool } from '../tools/tool.ts';

/** One argument of a tool, and what it is for. */
export interface Argument {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly description?: string | undefined;
  readonly use: 'query' | 'limit' | 'cursor' | 'as' | Filter;
}

/** The parsed arguments of one call. */
export interface Call {
  /** Query parameters of the endpoint. */
  readonly query: Readonly<Record<string, string>>;
  readonly filters: ReadonlyArray<{ readonly filter: Filter; readonly value: unknown }>;
  readonly limit: number | undefined;
  readonly isAsRuns: boolean;
  readonly cursor: string | undefined;
  /** Names of the given query parameters and filters. */
  readonly argumentNames: ReadonlySet<string>;
}

const known = new Map<Tool, readonly Argument[]>();

/**
 * Every argument of a tool: the endpoint's parameters, the tool's own filters, then the page if there are rows. Made
 * once, because their schemas take up to a millisecond, and each call needs them.
 */
export function argumentsOf(tool: Tool): readonly Argument[] {
  const made = known.get(tool) ?? makeArguments(tool);
  known.set(tool, made);
  return made;
}

function makeArguments(tool: Tool): readonly Argument[] {
  const { query, row, isObject } = tool.endpoint;
  // The tool's own limit, cursor, since and until replace those of the endpoint; the cursor of changes
  // is their `since`.
  const isTimed = tool.filters.some(({ argument }) => argument === 'since');
  const replaced = new Set(['limit', 'cursor', 'since', ...(isTimed ? ['from', 'to'] : [])]);
  const parameterFields = schemaFields(query).filter(([name]) => !replaced.has(name));
  const parameters = parameterFields.map(([name, field]): Argument => ({
    name,
    kind: kindOf(field),
    use: 'query',
  }));
  const fields = new Map(schemaFields(row));
  const filters = tool.filters.map((filter): Argument => {
    const field = fields.get(filter.field);
    if (field === undefined) throw new TypeError(`No field ${filter.field} in ${tool.name}.`);
    const isTime = filter.match === 'from' || filter.match === 'to';
    const argumentKind = filter.match === 'subject' ? words : kindOf(field);
    const isLast = filter.match === 'to';
    const kind = isTime ? moment({ isDay: holdsDays(field), isLast }) : argumentKind;
    return { name: filter.argument, kind, description: filter.description, use: filter };
  });
  return [
    ...parameters,
    ...filters,
    ...(tool.asRuns === undefined
      ? []
      : [{ name: 'as', kind: enumKind(['rows', 'runs']), use: 'as' as const }]),
    ...(isObject ? [] : pageArguments),
  ];
}

const pageArguments: readonly Argument[] = [
  { name: 'limit', kind: wholeNumber({ min: 1, max: rowsMax }), use: 'limit' },
  { name: 'cursor', kind: words, description: 'a next_cursor', use: 'cursor' },
];

/** Reads the arguments of a call. Throws a failure that names every argument that is wrong. */
export function readArguments(tool: Tool, raw: Readonly<Record<string, unknown>>): Call {
  const accepted = argumentsOf(tool);
  const problems: string[] = [];
  const read = Object.entries(raw).flatMap(([name, value]) => {
    const argument = accepted.find((candidate) => candidate.name === name);
    if (argument === undefined) {
      problems.push(unknownArgument(name, accepted));
      return [];
    }
    // Some hosts fill in every field and send null for those that are left out.
    if (value === null || value === undefined) return [];
    const reading = argument.kind.read(value);
    if ('value' in reading) return [{ ...argument, value: reading.value }];
    problems.push(`\`${name}\` must be ${reading.expected}.`);
    return [];
  });
  const call = toCall(tool, read);
  for (const { filter, value } of call.filters) {
    const { argument, field, by } = filter;
    const askedBy = call.query['by'];
    if (by !== undefined && askedBy !== by && needsBy(filter, value))
      problems.push(`\`${argument}\` needs \`by\` ${by}: rows by ${askedBy} have no ${field}.`);
  }
  const timeOf = (match: 'from' | 'to', absent: string): string => {
    const given = call.filters.find(({ filter }) => filter.match === match);
    return given === undefined ? absent : String(given.value);
  };
  if (timeOf('from', '') > timeOf('to', '9999-12-31T24'))
    problems.push('`since` is later than `until`.');
  if (problems.length > 0)
    throw new Failure('invalid_arguments', { problems: firstProblems(problems) });
  return call;
}

function toCall(
  tool: Tool,
  read: ReadonlyArray<Argument & { value: string | number | boolean }>,
): Call {
  const query: Record<string, string> = {};
  const filters: Array<{ filter: Filter; value: unknown }> = [];
  const argumentNames = new Set<string>();
  let limit: number | undefined;
  let isAsRuns = false;
  let cursor: string | undefined;
  for (const { name, use, value } of read) {
    if (use === 'limit') limit = Number(value);
    else if (use === 'cursor') cursor = String(value);
    else if (use === 'as') isAsRuns = value === 'runs';
    else {
      argumentNames.add(name);
      if (use === 'query') query[name] = String(value);
      else filters.push({ filter: use, value });
    }
  }
  for (const { filter, value } of filters) {
    if (filter.by !== undefined && needsBy(filter, value)) query['by'] ??= filter.by;
  }
  Object.assign(query, daysOf(tool, query, filters));
  return { query, filters, limit, isAsRuns, cursor, argumentNames };
}

/**
 * The days of `since` and `until` as parameters of an endpoint that takes days, so that rows older
 * than its most recent ones are found. A prompt's detections are all in one response anyway.
 */
function daysOf(
  { endpoint }: Tool,
  query: Readonly<Record<string, string>>,
  filters: Call['filters'],
): Readonly<Record<string, string>> {
  if (!('from' in endpoint.query.shape) || query['prompt_id'] !== undefined) return {};
  const days: Record<string, string> = {};
  for (const { filter, value } of filters) {
    const isTime = filter.match === 'from' || filter.match === 'to';
    const day = String(value).slice(0, 10);
    // The API takes days from 1970 to 9998: no row is outside of them.
    if (isTime && day >= '1970' && day < '9999') days[filter.match] = day;
  }
  return days;
}

/** Whether the value is one that only rows by `by` can have. */
function needsBy({ byIf }: Filter, value: unknown): boolean {
  return byIf === undefined || byIf.test(String(value));
}

/** Most problems to report at once. */
const problemsMax = 8;

function firstProblems(problems: readonly string[]): readonly string[] {
  const more = problems.length - problemsMax;
  return more > 0 ? [...problems.slice(0, problemsMax), `And ${more} more.`] : problems;
}

function unknownArgument(name: string, accepted: readonly Argument[]): string {
  const names = accepted.map((argument) => argument.name);
  // Look for shortened names first, because by edit distance `prompt` is far from `prompt_id`.
  const longer = names.find((each) => name.length > 2 && each.startsWith(name));
  const meant = longer ?? nearest(name.slice(0, 60), names);
  const quotedName = JSON.stringify(name.slice(0, 60));
  return meant === undefined
    ? `${quotedName} is not an argument of this tool; it takes ${names.join(', ')}.`
    : `${quotedName} is not an argument of this tool; did you mean \`${meant}\`?`;
}
