import type { ChainPage, CrawlChain } from '../../../reports/crawl-chain.ts';
import { amount } from '../../../values/plural.ts';
import type { CsvRows } from '../../define/output.ts';
import { tableOf } from '../../define/table-of.ts';
import type { Table } from '../../terminal/print.ts';

const lists = {
  read_not_cited: 'READ, NOT CITED',
  cited_not_read: 'CITED, NOT READ',
  refused: 'REFUSED',
} as const;
const names = ['read_not_cited', 'cited_not_read', 'refused'] as const;

/** One table for each list that has pages. */
export function chainTables(chain: CrawlChain): Table[] {
  return names.filter((name) => chain[name].length > 0).map((name) => toTable(name, chain[name]));
}

function toTable(name: keyof typeof lists, pages: readonly ChainPage[]): Table {
  const columns = {
    [lists[name]]: ({ page }: ChainPage) => page,
    READS: ({ reads }: ChainPage) => reads,
    REFUSALS: ({ refusals }: ChainPage) => refusals,
    RUNS: ({ runs }: ChainPage) => runs,
    'LAST REQUEST': (row: ChainPage) => row.last_requested_at?.slice(0, 10),
    'LAST CITED': (row: ChainPage) => row.last_cited_at?.slice(0, 10),
    BOTS: ({ bots }: ChainPage) => bots.map((bot) => bot.bot_name).join(', ') || null,
  };
  return tableOf(pages, '', columns);
}

/** All lists as rows of one kind. */
export function chainCsv(chain: CrawlChain): CsvRows {
  const rows = names.flatMap((name) =>
    chain[name].map(({ bots, ...page }) => ({
      list: name,
      ...page,
      bots: bots.map((bot) => bot.bot_name).join(' '),
    })),
  );
  const counts = ['page', 'reads', 'refusals', 'runs', 'last_cited_at', 'last_requested_at'];
  return { fields: ['list', ...counts, 'bots'], rows };
}

/** How many pages each list has, and in which period. */
export function chainWords({ from, to, ...chain }: CrawlChain): string {
  const [uncited, unread, refused] = names.map((name) => amount(chain[name].length, 'page'));
  return `From ${from} to ${to} (UTC): ${uncited} read and not cited, ${unread} cited and not read, ${refused} refused to bots that read for answers.`;
}
