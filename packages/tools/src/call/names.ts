import type { Call } from './arguments.ts';
import type { Client } from '../read/client.ts';
import { namesOf } from '../tools/lookup.ts';
import type { Lookup } from '../tools/lookup.ts';
import { Failure } from '../failure.ts';
import { shortName } from '../text/names.ts';
import type { ToolRow } from '../tools/tool-row.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * The names behind the ids of a tool's rows. They are cached for the life of the process, and read
 * again if a row has an unknown id. If they cannot be read, rows have only ids.
 */
export async function readNames(
  { beside }: Pick<Tool, 'beside'>,
  {
    call,
    client,
    signal,
    rows,
  }: { call: Call; client: Client; signal: AbortSignal; rows: readonly ToolRow[] },
): Promise<ReadonlyMap<string, string>> {
  if (beside === undefined) return new Map();
  const { endpoint, id, ids: listed } = beside;
  const cachedNames = namesOf(beside, client.readCached(endpoint, {})?.rows ?? []);
  const ids = new Set(rows.map((row) => row[id]).filter((value) => typeof value === 'string'));
  if (listed !== undefined) return readListed(beside, listed, [...ids], { client, signal });
  const isAsked = call.filters.some(({ filter }) => filter.match === 'subject');
  if (!(isAsked && cachedNames.size === 0) && [...ids].every((each) => cachedNames.has(each)))
    return cachedNames;
  try {
    return namesOf(beside, (await client.read(endpoint, {}, signal)).rows);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return cachedNames;
  }
}

/** The names of these ids alone, if the endpoint takes ids. */
async function readListed(
  beside: Lookup,
  { parameter, max }: NonNullable<Lookup['ids']>,
  ids: readonly string[],
  { client, signal }: { client: Client; signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (let from = 0; from < ids.length; from += max) {
    const query = { [parameter]: ids.slice(from, from + max).join(',') };
    try {
      const { endpoint } = beside;
      const { rows } =
        client.readCached(endpoint, query) ?? (await client.read(endpoint, query, signal));
      for (const [id, name] of namesOf(beside, rows)) names.set(id, name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return names;
    }
  }
  return names;
}

/** Replaces a subject's name in filters with its id. Throws if no subject has that name. */
export function resolveSubjects(
  filters: Call['filters'],
  names: ReadonlyMap<string, string>,
): Call['filters'] {
  return filters.map((entry) => {
    if (entry.filter.match !== 'subject') return entry;
    const wanted = String(entry.value).toLowerCase();
    const match = [...names].find(([id, name]) => id === wanted || name.toLowerCase() === wanted);
    if (match !== undefined) return { ...entry, value: match[0] };
    const knownNames = [...names.values()].slice(0, 20).map(shortName).join(', ');
    throw new Failure('invalid_arguments', {
      problems: [`No subject is called ${shortName(entry.value)}; there are ${knownNames}.`],
    });
  });
}

/** The columns of a tool's rows: the group, then the fields of the contract, with the name beside the id. */
export function columnsOf({ endpoint, beside, grouping, lean }: Tool): readonly string[] {
  const group = grouping === undefined ? [] : [grouping.field];
  const own = endpoint.fields
    .filter((field) => lean?.without.includes(field) !== true)
    .flatMap((field) => (beside?.id === field ? [field, beside.field] : [field]));
  return [...group, ...own];
}

/**
 * A row for a model, with the name beside the id. Leaves out the group, and a lean tool each column,
 * that is null in all rows, because each costs tokens.
 */
export function rowShaper(
  tool: Tool,
  rows: readonly ToolRow[],
  names: ReadonlyMap<string, string>,
): (row: ToolRow) => ToolRow {
  const { beside, lean } = tool;
  const named = (row: ToolRow): ToolRow =>
    beside === undefined ? row : { ...row, [beside.field]: names.get(String(row[beside.id])) };
  const columns = columnsOf(tool).filter(
    (column) =>
      (lean === undefined && column !== tool.grouping?.field) ||
      rows.some((row) => (named(row)[column] ?? null) !== null),
  );
  return (row) => {
    const whole = named(row);
    return Object.fromEntries(columns.map((column) => [column, whole[column] ?? null]));
  };
}
