import type { ScoreRow } from '@overheard/contract';
import { shareText } from '../text/tally.ts';

const dayMs = 86_400_000;
/** Uses whole weeks, so that weekdays have the same weight on both sides. */
const halfDaysMax = 28;
const enginesMax = 8;

/**
 * Compares the most recent days with the same number of days before them, by summed counts per
 * engine.
 */
export function trend(rows: readonly ScoreRow[]): readonly string[] {
  const days = rows.map((row) => row.date).toSorted();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const half = Math.min(halfDaysMax, Math.floor((daysBetween(first, last) + 1) / 2));
  if (!(half >= 1)) return [];
  const from = daysBefore(last, half - 1);
  const recent = rows.filter(({ date }) => date >= from);
  const start = daysBefore(last, 2 * half - 1);
  const earlier = rows.filter(({ date }) => date >= start && date < from);
  const engines = [...new Set(rows.map((row) => row.engine))].toSorted();
  const comparisonWords = (isCounted: (row: ScoreRow) => boolean) =>
    `${totalShareText(recent.filter(isCounted))}, before ${totalShareText(earlier.filter(isCounted))}`;
  const all =
    engines.length > 1 ? [`all ${engines.length} engines ${comparisonWords(() => true)}`] : [];
  const each = engines
    .slice(0, enginesMax)
    .map((engine) => `${engine} ${comparisonWords((row) => row.engine === engine)}`);
  return [
    `Citation rate (counted runs that cite the brand; not share of voice), ${from} to ${last} and in the equal period before: ${[...all, ...each].join('; ')}.`,
  ];
}

function totalShareText(rows: readonly ScoreRow[]): string {
  const citations = rows.reduce((sum, row) => sum + row.citations, 0);
  return shareText(
    citations,
    rows.reduce((sum, row) => sum + row.total_runs, 0),
  );
}

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / dayMs;
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * dayMs).toISOString().slice(0, 10);
}
