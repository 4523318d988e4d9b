import type { ScoresOfEngine } from '../../../reports/period-report.ts';
import type { OverviewPage } from '../../../reports/overview-page.ts';
import { plural } from '../../../values/plural.ts';
import { partFigure } from '../../markup/figures.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';

const columns: ReadonlyArray<Column<ScoresOfEngine>> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine) },
  { title: 'Days', cell: ({ days }) => plural(days, 'day') },
  {
    title: 'Appears in',
    cell: ({ citations, total_runs: runs }) => partFigure(citations, runs, 'answer'),
  },
];

/** Shows imported scores, and explains their limits. */
export function scoresPart({ importedScores }: OverviewPage): Html {
  return html`<section>
    <h2>Imported scores</h2>
    ${table({ caption: 'Imported scores', columns, empty: '' }, importedScores)}
    <p class="hint">
      Scores hold how often you appeared on each engine and day. They can’t show how certain that is,
      whether it changed, who else appears, and for which prompts. Import the answers to see that.
    </p>
  </section>`;
}
