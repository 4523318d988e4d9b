import { limits } from '@overheard/contract';
import type { ChainPage } from '../../../reports/crawl-chain.ts';
import type { Period } from '../../../reports/shares/windows.ts';
import { thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { shortDay } from '../../parts/moment-words.ts';
import { counts, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { nameList } from '../../parts/name-list.ts';
import { forMembers } from '../../request/page-context.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const shownMax = 20;

const columns = (nowMs: number): Columns<ChainPage> => [
  { title: 'Page', cell: ({ page }) => html`<span class="path">${page}</span>` },
  counts('Reads', ({ reads }) => reads),
  { title: 'Bots', cell: ({ bots }) => nameList(bots.map(({ bot_name: name }) => name)) },
  {
    title: 'Last requested',
    cell: ({ last_requested_at: at }) => at !== null && shortDay(at, nowMs),
  },
];

/** Shows own pages that verified bots read but no answer cites. */
export async function neverCited(context: WorkspaceContext, { from, to }: Period): Promise<Html> {
  const query = { from, to, limit: shownMax };
  const { total, pages } = await context.reports.read('neverCited', query);
  const command = context.command('overheard crawls --beside-sources');
  return html`<section id="never-cited">
    <h2>Read by bots, never linked</h2>
    <p class="hint">
      Your own pages that genuine crawlers read on these days and no answer of any engine links.
      ${
        total > shownMax &&
        html`These are ${shownMax} of ${thousands(total)}.
        ${forMembers(context, html`<code>${command}</code> lists ${total > limits.reportRowsMax ? `the first ${thousands(limits.reportRowsMax)}` : 'all'}.`)}`
      }
    </p>
    ${table(
      {
        caption: 'Own pages that bots read and no answer cites',
        columns: columns(context.clock()),
        empty: 'There is no such page on these days.',
      },
      pages,
    )}
  </section>`;
}
