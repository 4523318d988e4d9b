import type { Surfaces } from '../../reports/shares/shares.ts';
import { engineName } from '../../values/engine.ts';
import { amount } from '../../values/plural.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import { rateFigure } from '../markup/figures.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { viewLink } from '../request/view.ts';

/** Says of which answers the figures are, if some were got through APIs, or only some searched. */
export function surfaceNote(context: WorkspaceContext, surfaces: Surfaces): Content {
  return html`${searchNote(surfaces)}${apiNote(context, surfaces)}`;
}

/** Says how many answers are left out because nobody knows whether their engine searched. */
export function searchNote({ search }: Pick<Surfaces, 'search'>): Content {
  if (search === null) return undefined;
  const which = search.is === 'yes' ? 'searched' : 'did not search';
  const unknown =
    search.unknown === 0
      ? 'All engines of this period say whether they did.'
      : `Left out: ${amount(search.unknown, 'answer')} of engines that do not say.`;
  return html`<p class="hint">Only answers whose engine ${which} are counted. ${unknown}</p>`;
}

function apiNote(context: WorkspaceContext, { head, beside, localModels }: Surfaces): Content {
  const locals =
    localModels.length > 0 && html` Among them: ${localModels.map(engineName).join(', ')}.`;
  if (beside !== null) {
    return html`<p class="hint" id="surface">
      These figures are of apps alone. In answers got through APIs, which people do not see:
      ${beside.name} appears in ${rateFigure(beside)}.${locals}
      ${context.shared === undefined && html`<a href="${viewLink(context, 'apps-and-apis')}">Do they differ?</a>`}
    </p>`;
  }
  return (
    head === 'api' &&
    html`<p class="hint" id="surface">
      These figures are of answers got through APIs, which people do not see: not the apps’.${locals}
    </p>`
  );
}
