import type { OverviewPage } from '../../../reports/overview-page.ts';
import type { Trend, TrendBucket } from '../../../reports/shares/trend.ts';
import { daysOf, drawTrend } from '../../charts/trend.ts';
import { changeFigure, rateCell, rateFigure } from '../../markup/figures.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { table } from '../../parts/table.ts';

/** The brand over the period and the one before. */
export function trendPart({ brand, trends, marks }: OverviewPage): Content {
  const { buckets } = trends.total;
  const title = `Answers that cite ${brand?.name ?? 'you'}, ${bucketWords(trends.total)}`;
  return html`<section class="card">
    <h2>${title}</h2>
    ${drawTrend({
      buckets,
      title,
      marks,
      sentence:
        'The line is the measured rate, the band its 95\u00A0% interval. Compare the bands. A gap has no answers; a hollow point is not over yet. Dashed lines mark days on which the measure changed.',
    })}
  </section>`;
}

function bucketWords({ days }: Trend): string {
  return { 1: 'by day', 7: 'by week', 28: 'in 4 weeks each' }[days] ?? '';
}

/** The trend of each engine, on one scale. */
export function enginesPart(
  context: WorkspaceContext,
  { brand, engines, trends }: OverviewPage,
): Content {
  if (engines.length < 2) return undefined;
  const rowOf = new Map(engines.map((row) => [row.engine, row]));
  const [first] = trends.engines;
  const words = first === undefined ? '' : bucketWords(first);
  const title = `${brand?.name ?? 'You'} on each engine, ${words}`;
  const listed = trends.engines.filter(({ engine }) => rowOf.has(engine));
  return html`<section class="card">
    <h2>${title}</h2>
    <div class="multiples">
      ${listed.map(({ engine, buckets }) => {
        const row = rowOf.get(engine);
        return (
          row !== undefined &&
          html`<div>
            <h3><a href="${viewLink(context, '', { engine })}">${engineName(engine)}</a></h3>
            <p class="hint">${rateFigure(row)}, ${changeFigure(row, 'rate')}</p>
            ${drawTrend({ buckets, title: `${engineName(engine)}, ${words}`, isSmall: true })}
          </div>`
        );
      })}
    </div>
    <details>
      <summary>Show as a table</summary>
      ${table(
        {
          caption: title,
          empty: '',
          columns: [
            { title: 'Days', cell: (bucket: TrendBucket) => daysOf(bucket) },
            ...listed.map(({ engine, buckets }) => ({
              title: engineName(engine),
              isNumber: true,
              cell: ({ to }: TrendBucket) => {
                const bucket = buckets.find((each) => each.to === to);
                return bucket !== undefined && rateCell(bucket);
              },
            })),
          ],
        },
        (first?.buckets ?? []).toReversed(),
      )}
    </details>
  </section>`;
}
