import { limits } from '@overheard/contract';
import type { ReportRow } from '@overheard/contract';
import type { ReportSource } from '../report-source.ts';
import type { StanceQuery } from './stances.ts';
import { readPeriodStances } from './stances.ts';

/** How answers present the brand and its competitors, for a report. Null unless figures are shown. */
export async function readPresented(
  source: ReportSource,
  query: Omit<StanceQuery, 'by' | 'rowsMax'>,
): Promise<ReportRow['stances']> {
  const period = await readPeriodStances(source, query);
  if (period === undefined || !period.check.isTrusted) return null;
  const [brand, ...competitors] = await period.rowsBy('total');
  if (brand === undefined) return null;
  const most = competitors
    .filter(({ cited }) => cited > 0)
    .toSorted((one, other) => other.cited - one.cited);
  return [brand, ...most].slice(0, limits.reportSubjectsMax).map((row) => ({
    name: row.name,
    type: row.subject_type,
    runs: row.runs,
    cited: row.cited,
    first_choice: row.first_choice,
    recommended_for: row.recommended_for,
    also: row.also,
    plain: row.plain,
    mixed: row.mixed,
    advised_against: row.advised_against,
    unknown_to_engine: row.unknown_to_engine,
    recommended_rate: row.recommended_rate,
    recommended_rate_low: row.recommended_rate_low,
    recommended_rate_high: row.recommended_rate_high,
    recommended_share: row.recommended_share,
    kappa: row.kappa,
    kappa_low: row.kappa_low,
    kappa_high: row.kappa_high,
    labels: row.labels,
    judge: row.judge,
  }));
}
