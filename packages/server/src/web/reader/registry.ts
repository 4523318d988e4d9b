import { readFilters } from '../../reports/filters.ts';
import { readOverview } from '../../reports/overview.ts';
import type { ReportSource } from '../../reports/report-source.ts';

/** Every report that pages read, by name. Queries and results must survive JSON. */
const registry = {
  filters: readFilters,
  overview: readOverview,
} as const;

export type ReportName = keyof typeof registry;

type Queries = {
  [Name in ReportName]: Parameters<(typeof registry)[Name]> extends [ReportSource, infer Query]
    ? Query
    : Record<string, never>;
};
type Results = { [Name in ReportName]: Awaited<ReturnType<(typeof registry)[Name]>> };

/** What a report is asked for; `{}` if it takes nothing. */
export type ReportQuery<Name extends ReportName> = Queries[Name];
/** What it returns. */
export type ReportResult<Name extends ReportName> = Results[Name];

const functions: {
  readonly [Name in ReportName]: (
    source: ReportSource,
    query: Queries[Name],
  ) => Promise<Results[Name]>;
} = registry;

/** Reads one report here, in this thread. */
export function runReport<Name extends ReportName>(
  source: ReportSource,
  name: Name,
  query: ReportQuery<Name>,
): Promise<ReportResult<Name>> {
  return functions[name](source, query);
}
