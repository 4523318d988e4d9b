import type { Surfaces } from '../../reports/shares/shares.ts';
import { engineName } from '../../values/engine.ts';
import { html } from '../markup/html.ts';
import type { Content } from '../markup/html.ts';
import { rateFigure } from '../markup/figures.ts';

/** Says of which answers the figures are, if some were got through APIs. */
export function surfaceNote({ head, beside, localModels }: Surfaces): Content {
  const locals =
    localModels.length > 0 && html` Among them: ${localModels.map(engineName).join(', ')}.`;
  if (beside !== null) {
    return html`<p class="hint" id="surface">
      These figures are of apps alone. In answers got through APIs, which people do not see:
      ${beside.name} appears in ${rateFigure(beside)}.${locals}
    </p>`;
  }
  return (
    head === 'api' &&
    html`<p class="hint" id="surface">
      These figures are of answers got through APIs, which people do not see: not the apps’.${locals}
    </p>`
  );
}
