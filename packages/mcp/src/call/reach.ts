import type { Tool } from '../tools/tool.ts';
import type { Row } from '../tools/row.ts';

/**
 * From when to when the rows go. The API's limits and the arguments leave older rows out, which
 * neither a short list nor an empty one shows. There is a row before narrowing.
 */
export function reachNote(
  { moment }: Tool,
  { matched, all }: { matched: readonly Row[]; all: readonly Row[] },
): string {
  const whole = `go from ${spanOf(all, moment)}`;
  if (matched.length === all.length) return `Rows ${whole} (${moment}).`;
  const before = `efore narrowing, the API's ${all.length} rows ${whole}`;
  if (matched.length === 0) return `B${before} (${moment}).`;
  return `Rows go from ${spanOf(matched, moment)} (${moment}); b${before}.`;
}

/** `X to Y`, both included. There is a row. */
function spanOf(rows: readonly Row[], moment: string): string {
  let first: string | undefined;
  let last: string | undefined;
  for (const row of rows) {
    const value = String(row[moment]);
    if (first === undefined || value < first) first = value;
    if (last === undefined || value > last) last = value;
  }
  return `${first} to ${last}`;
}
