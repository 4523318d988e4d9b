import type { Call } from './arguments.ts';
import type { Tool } from '../tools/tool.ts';
import type { ToolRow } from '../tools/tool-row.ts';

/**
 * Notes about the time span of the rows, and whether a limit of the API cut off requested rows,
 * because the list itself does not show that. `all` has at least one row.
 */
export function reachNotes(
  tool: Tool,
  call: Call,
  { matched, all }: { matched: readonly ToolRow[]; all: readonly ToolRow[] },
): string[] {
  const { moment } = tool;
  const cut = tool.cutBy(all, call.argumentNames);
  if (moment === undefined) return cut === undefined ? [] : [`Incomplete: ${cut}`];
  const [oldest, newest] = spanOf(all, moment);
  const since = call.filters.find(({ filter }) => filter.match === 'from')?.value;
  const isCut = cut !== undefined && (typeof since !== 'string' || since < oldest);
  return [
    spanNote(`go from ${oldest} to ${newest}`, moment, { matched, all }),
    ...(isCut ? [`Incomplete before ${oldest}: ${cut}`] : []),
  ];
}

function spanNote(
  whole: string,
  moment: string,
  { matched, all }: { matched: readonly ToolRow[]; all: readonly ToolRow[] },
): string {
  if (matched.length === all.length) return `Rows ${whole} (${moment}).`;
  const before = `efore narrowing, the API's rows (${all.length}) ${whole}`;
  if (matched.length === 0) return `B${before} (${moment}).`;
  return `Rows go from ${spanOf(matched, moment).join(' to ')} (${moment}); b${before}.`;
}

/** The first and the last moment of at least one row. */
function spanOf(rows: readonly ToolRow[], moment: string): [first: string, last: string] {
  let [first, last] = ['', ''];
  for (const [index, row] of rows.entries()) {
    const value = String(row[moment]);
    if (index === 0 || value < first) first = value;
    if (index === 0 || value > last) last = value;
  }
  return [first, last];
}
