import type { SourceRow } from '@overheard/contract';
import { amount, thousands } from '../../values/plural.ts';
import { tableOf } from '../define/table-of.ts';
import type { Table } from '../terminal/print.ts';
import { percent } from '../../values/figure-words.ts';

/** A table of the sites or pages that answers cite. Each count is out of all `runs`. */
export function sourceTable(rows: readonly SourceRow[], { runs }: { runs: number }): Table {
  return tableOf(
    rows,
    {
      SOURCE: ({ site, url }) => url ?? site,
      OWNER: ({ owner }) => owner,
      'CITED BY': ({ share }) => `${percent(share)} of ${amount(runs, 'answer')}`,
      BRAND: (row) => thousands(row.brand_runs),
      COMPETITOR: (row) => thousands(row.competitor_runs),
      GAP: (row) => thousands(row.gap_runs),
    },
    '',
  );
}

/** Explains the columns of the table. */
export const sourceNote =
  'Of the answers that cite a source, BRAND also cite the brand, COMPETITOR a competitor, and GAP a competitor but not the brand.';
