import type { Figures, ScoreChange } from '../../answers/scores/recompute.ts';

/** Daily scores before and after. */
export function scoreChangeTable(scores: readonly ScoreChange[]) {
  return {
    headings: ['DATE', 'ENGINE', 'CITATIONS', 'RUNS', 'SOV', '', 'CITATIONS', 'RUNS', 'SOV'],
    none: '',
    rows: scores.map(({ date, engine, before, after }) => [
      date,
      engine,
      ...cells(before),
      '->',
      ...cells(after),
    ]),
  };
}

/** The same for `--json`. */
export function scoresJson(scores: readonly ScoreChange[]): object[] {
  return scores.map(({ date, engine, before = null, after = null }) => ({
    date,
    engine,
    before,
    after,
  }));
}

function cells(figures: Figures | undefined): Array<string | null> {
  if (figures === undefined) return [null, null, null];
  return [String(figures.citations), String(figures.total_runs), figures.sov.toFixed(4)];
}
