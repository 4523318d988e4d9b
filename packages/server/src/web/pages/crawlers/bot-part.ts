import { meansOf } from '../../../crawlers/bots/catalogue.ts';
import type { Bot } from '../../../crawlers/bots/catalogue.ts';
import { readWorkspaceBots } from '../../../crawlers/bots/workspace-bots.ts';
import type { HitTotals } from '../../../reports/hits/hit-totals.ts';
import { notFound } from '../../request/page-fault.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { facts } from '../../parts/facts.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { readsFor } from './crawl-columns.ts';

/**
 * Shows the facts about a bot. Throws a `PageFault` for a bot that is unknown and has no requests.
 */
export async function botPart(
  context: WorkspaceContext,
  name: string,
  totals: HitTotals,
): Promise<Content> {
  const bots = await readWorkspaceBots(context.store.reader, context.workspace.id);
  const bot = bots.find(({ token }) => token === name);
  if (bot !== undefined) return botFacts(bot);
  const names = totals.hits > 0 ? [name] : await context.reports.read('names', { of: 'bot_name' });
  if (!names.includes(name)) throw notFound();
  return undefined;
}

function botFacts(bot: Bot): Html {
  const { company, category, docs, ignoresRobots, checked } = bot;
  const source =
    docs === null
      ? 'no document of the operator'
      : html`<a href="${docs}" rel="noreferrer">${docs}</a>${checked !== null && html` <span class="hint">read on ${checked}</span>`}`;
  return html`<section>
    <h2>What it is</h2>
    ${facts([
      ['Operator', company],
      ['Reads for', readsFor(category)],
      ['Verified by', meansOf(bot)],
      ['robots.txt', ignoresRobots && 'its operator says that it may not apply'],
      ['Described by', source],
    ])}
  </section>`;
}
