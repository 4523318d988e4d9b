import type { CrawlRow } from '@overheard/contract';
import { thousands } from '../../values/plural.ts';
import { tableOf } from '../define/table-of.ts';
import type { Table } from '../terminal/print.ts';

/** A table of crawlers: their hits by verification, and the responses to them. */
export function crawlTable(rows: readonly CrawlRow[], by: 'bot' | 'page' | 'day'): Table {
  return tableOf(
    rows,
    {
      ...(by === 'bot' && { BOT: (row: CrawlRow) => row.bot_name }),
      ...(by === 'page' && { PAGE: (row: CrawlRow) => `${row.host ?? ''}${row.path ?? ''}` }),
      ...(by === 'day' && { DAY: (row: CrawlRow) => row.date }),
      HITS: (row) => thousands(row.verified + row.spoofed + row.unverified),
      VERIFICATION: ({ verified, spoofed, unverified }) => parts({ verified, spoofed, unverified }),
      RESPONSES: ({ ok, redirected, refused, failed }) =>
        parts({ ok, redirected, refused, failed }),
      LAST: (row) => row.last_at.slice(0, 10),
    },
    '',
  );
}

/** Joins counts such as `8 ok, 2 refused`, without zeros. */
function parts(counts: Readonly<Record<string, number>>): string | null {
  const words = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${thousands(count)} ${name}`);
  return words.length === 0 ? null : words.join(', ');
}
