import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { Period } from './shares/windows.ts';

/** The brand beside the competitor that most answers to a prompt cite. */
export type GapEngines = Awaited<ReturnType<typeof readGapEngines>>;

/** Reads who is cited for one prompt, engine by engine. */
export async function readGapEngines(
  source: ReportSource,
  { promptId, from, to }: Period & { readonly promptId: string },
) {
  const query = { from, to, promptId, excludesCompetitorPrompts: false, omitsChanges: true };
  const { rowsBy } = await readPeriodShares(source, query);
  const [rival] = rowsBy('total')
    .filter(({ subject_type: type, cited }) => type === 'competitor' && cited > 0)
    .toSorted((left, right) => right.cited - left.cited);
  const rows = rowsBy('engine');
  const ofRival = new Map(
    rows.filter(({ subject_id: id }) => id === rival?.subject_id).map((row) => [row.engine, row]),
  );
  return {
    /** Null if no competitor is cited. */
    rival: rival?.name ?? null,
    engines: rows
      .filter(({ subject_type: type }) => type === 'brand')
      .map((brand) => ({ brand, rival: ofRival.get(brand.engine) ?? null })),
  };
}
