import type { ScoreRow } from '@overheard/contract';
import { shareText } from '../tally.ts';

const dayMs = 86_400_000;
/** Weeks are whole, so that weekdays weigh alike on both sides. */
const halfDaysMax = 28;
const enginesMax = 8;

/** The most recent days beside as many before them, by summed counts, per engine. */
export function trend(rows: readonly ScoreRow[]): readonly string[] {
  const days = rows.map((row) => Date.parse(row.date));
  const last = days.reduce((a, b) => Math.max(a, b), -Infinity);
  const first = days.reduce((a, b) => Math.min(a, b), Infinity);
  const half = Math.min(halfDaysMax, Math.floor((last - first) / dayMs + 1) >> 1);
  if (half < 1) return [];
  const sides = {
    now: within(rows, last - (half - 1) * dayMs, last),
    before: within(rows, last - (2 * half - 1) * dayMs, last - half * dayMs),
  };
  const engines = [...new Set(rows.map((row) => row.engine))].toSorted();
  const compared = (engine?: string) =>
    `${summed(sides.now, engine)}, before ${summed(sides.before, engine)}`;
  const lines = engines.slice(0, enginesMax).map((engine) => `${engine} ${compared(engine)}`);
  const all = engines.length > 1 ? [`all ${engines.length} engines ${compared()}`] : [];
  const from = dayText(last - (half - 1) * dayMs);
  return [
    `Counted runs that cite the brand, ${from} to ${dayText(last)} and in the ${half} days before: ${[...all, ...lines].join('; ')}.`,
  ];
}

function within(rows: readonly ScoreRow[], from: number, to: number): readonly ScoreRow[] {
  return rows.filter(({ date }) => Date.parse(date) >= from && Date.parse(date) <= to);
}

function summed(rows: readonly ScoreRow[], engine?: string): string {
  const counted = rows.filter((row) => engine === undefined || row.engine === engine);
  const citations = counted.reduce((sum, row) => sum + row.citations, 0);
  return shareText(
    citations,
    counted.reduce((sum, row) => sum + row.total_runs, 0),
  );
}

function dayText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
