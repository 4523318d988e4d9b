import type { Position } from './cursor.ts';
import type { Call } from './arguments.ts';
import { passes } from '../tools/filters.ts';
import type { Filter } from '../tools/filters.ts';
import { shortName } from '../text/names.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolRow } from '../tools/tool-row.ts';

/** The arguments from which parameters come that a tool does not take by their own names. */
const argumentOf: Readonly<Record<string, string>> = { from: 'since', to: 'until' };

const valuesMax = 8;

/** Explains why a result has no rows, because an empty list does not show its cause. */
export function emptyNote(
  tool: Tool,
  call: Call,
  { rows, position }: { rows: readonly ToolRow[]; position: Position },
): string {
  const { array } = tool.endpoint;
  if (rows.length === 0 && position.next !== undefined && tool.emptyPageNote !== undefined) {
    return tool.emptyPageNote;
  }
  if (rows.length === 0) {
    const filterNames = Object.keys(call.query).map((name) =>
      call.argumentNames.has(name) ? name : (argumentOf[name] ?? name),
    );
    return filterNames.length === 0
      ? `The API gave no ${array}: ${tool.emptyBecause}`
      : `The API gave no ${array} for this ${names(filterNames)}: nothing matches, or it is unknown here; call without it to see. Otherwise: ${tool.emptyBecause}`;
  }
  const alone = call.filters.filter(({ filter, value }) =>
    rows.every((row) => !passes(filter, value, row)),
  );
  if (alone.length === 0) {
    const all = call.filters.map(({ filter }) => filter.argument);
    return `The API gave ${rows.length} ${array}; each of ${names(all)} passes some, together they match none: leave one out.`;
  }
  const reasons = alone.map(
    ({ filter, value }) =>
      `no row passes ${filter.argument} ${shortName(value)} (${valueWords(filter, rows)})`,
  );
  return `The API gave ${rows.length} ${array}, but ${reasons.join('; ')}.`;
}

/** Lists the values that do occur in the field of a filter that matches nothing. */
function valueWords({ field, match }: Filter, rows: readonly ToolRow[]): string {
  const values = [...new Set(rows.map((row) => row[field]))].filter((value) => value !== null);
  if (match === 'from' || match === 'to') {
    const sorted = values.map(String).toSorted();
    return `they run from ${sorted[0]} to ${sorted.at(-1)}`;
  }
  const isListed = match === 'equals' || match === 'begins';
  if (!isListed || values.length > 50) return `of ${values.length} different ${field}`;
  const shortNames = values.slice(0, valuesMax).map(shortName);
  const more = values.length - shortNames.length;
  return `there are ${shortNames.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function names(list: readonly string[]): string {
  return list.map((name) => `\`${name}\``).join(', ');
}
