import type { Rederivation } from '../../answers/actions/rederive.ts';
import type { ScoreChange } from '../../answers/scores/recompute.ts';
import type { KeptRows } from '../../imports/find-kept-rows.ts';
import type { ImportRecord } from '../../imports/list-imports.ts';
import type { Revert } from '../../imports/revert-import.ts';
import { amount, plural, thousands } from '../../values/plural.ts';
import type { Lines } from '../../values/printable.ts';

/** An import in one line. */
export function importLine({ id, kind, file, ...record }: ImportRecord): string {
  const { imported_at: at, rows_new: created, rows_changed: changed } = record;
  return `Import ${id}: ${kind} of ${file}, ${at}: ${thousands(created)} new, ${thousands(changed)} changed, ${thousands(record.rows_unchanged)} unchanged.`;
}

/** Describes the effect of reverting an import. */
export function revertLines(
  { record, removed, kept, scores, actions }: Revert,
  { isDryRun }: { isDryRun: boolean },
): Lines {
  if (record.reverted_at !== null) {
    return [`It was reverted at ${record.reverted_at}: nothing to do.`];
  }
  const removedCounts = Object.entries(removed).filter(([, count]) => count > 0);
  const rows = removedCounts.map(([table, count]) => amount(count, table.slice(0, -1)));
  const changed = record.rows_changed;
  return [
    `${isDryRun ? 'Would remove' : 'Removed'} ${rows.length === 0 ? 'no row' : rows.join(', ')}.`,
    ...consequenceLines({ scores, actions }, { isDryRun }),
    ...kept.map(keptLine),
    changed > 0 &&
      `${amount(changed, 'row')} that the import changed ${changed === 1 ? 'stays' : 'stay'} changed, because the older values are not stored.`,
    isDryRun && 'Nothing is written yet.',
  ];
}

/** Describes what else changes if runs are removed. */
export function consequenceLines(
  {
    scores,
    actions: { removed, opened, updated },
  }: { scores: readonly ScoreChange[]; actions: Rederivation },
  { isDryRun }: { isDryRun: boolean },
): string[] {
  const change = isDryRun ? 'would change' : 'changed';
  const lines: string[] = [];
  const [first, last] = [scores[0]?.date, scores.at(-1)?.date];
  const days = first === last ? `of ${first}` : `from ${first} to ${last}`;
  if (scores.length > 0) lines.push(`${plural(scores.length, 'daily score')} ${days} ${change}.`);
  const parts = Object.entries({ removed, opened, updated })
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`);
  if (parts.length > 0) {
    lines.push(`Derived actions ${change}: ${parts.join(', ')}.`);
  }
  return lines;
}

function keptLine({ table, importId, rows, ids }: KeptRows): string {
  const what = amount(rows, table.slice(0, -1));
  const idWords = `${ids.slice(0, 3).join(', ')}${rows > 3 ? ', ...' : ''}`;
  const stays = rows === 1 ? 'stays' : 'stay';
  return importId === null
    ? `${what} ${stays}, because ${rows === 1 ? 'it was' : 'they were'} changed since, or other rows need ${rows === 1 ? 'it' : 'them'}: ${idWords}`
    : `${what} ${stays}, because import ${importId} also has ${rows === 1 ? 'it' : 'them'}: ${idWords}`;
}
