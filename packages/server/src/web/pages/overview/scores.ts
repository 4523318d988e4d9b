import type { ScoresOfEngine } from '../../../reports/period-report.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import { plural, thousands } from '../../../values/plural.ts';
import { countFigure, partFigure } from '../../markup/figures.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';
import { requestsItem } from './summary.ts';

const columns: ReadonlyArray<Column<ScoresOfEngine>> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine) },
  { title: 'Days', cell: ({ days }) => plural(days, 'day') },
  {
    title: 'Cited in',
    cell: ({ citations, total_runs: runs }) => partFigure(citations, runs, 'answer'),
  },
];

/** Shows imported scores, and explains their limits. */
export function scoresPart(context: WorkspaceContext, overview: OverviewPage): Html {
  const { importedScores, gaps, brand } = overview;
  return html`<section class="card">
    <h2>Imported scores</h2>
    ${table({ caption: 'Imported scores', columns, empty: '' }, importedScores)}
    <p class="hint">
      Scores hold how often you were cited on each engine and day. They can’t show how certain that
      is, whether it changed, who else is cited, and for which prompts. Import the answers to see
      that.
    </p>
    ${
      brand === null &&
      html`<dl class="figures">
        <div>
          <dt>Open gaps</dt>
          <dd>
            ${countFigure(gaps.open, 'gap')}
            <p class="hint">${thousands(gaps.high)} of high priority</p>
          </dd>
        </div>
        ${requestsItem(context, overview)}
      </dl>`
    }
  </section>`;
}
