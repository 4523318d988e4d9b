import type { News } from '../../../reports/news.ts';
import { countFigure } from '../../figures.ts';
import { html } from '../../html.ts';
import type { Html } from '../../html.ts';
import { dayWords } from '../moments.ts';

/** What a person has missed since the last visit. */
export function newsPart({ since, answers, requests, gapsFound, gapsDone }: News): Html {
  return html`<p class="notice">
    Since ${dayWords(since)}, the day of your last visit: ${countFigure(answers, 'answer')},
    ${countFigure(requests, 'crawler request')}, ${countFigure(gapsFound, 'new gap')},
    ${countFigure(gapsDone, 'gap')} done.
  </p>`;
}
