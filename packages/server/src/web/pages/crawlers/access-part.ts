import type { EngineAccess } from '../../../reports/engine-access/engine-access.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';

/** Stories that are told in full; the command line lists all. */
const toldMax = 3;

/** What keeps the engines' bots from the site, since when, and what to do, the worst first. */
export function accessPart({ stories }: EngineAccess): Content {
  if (stories.length === 0) return undefined;
  return html`<section class="notice warn" aria-labelledby="access">
    <h2 id="access">What keeps engines from the site</h2>
    ${stories.slice(0, toldMax).map(({ sentence, cure }) => html`<p>${sentence} ${cure}</p>`)}
  </section>`;
}
