import type { OverviewPage } from '../../../reports/overview-page.ts';
import type { IntervalForecast } from '../../../values/statistics/forecast-interval.ts';
import { amount, plural } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { dayWords } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { answerColumns } from '../answers/answer-columns.ts';

const answersShown = 10;

/** In the first week, in place of charts: what the answers can show, what not yet, and the answers. */
export async function firstAnswersPart(
  context: WorkspaceContext,
  overview: OverviewPage,
): Promise<Content> {
  const { firstDays, brand } = overview;
  if (firstDays === undefined || brand === null) return undefined;
  const { rows } = await context.reports.read('answers', { rowsMax: answersShown });
  const days = firstDays.days === 1 ? 'day' : plural(firstDays.days, 'day');
  return html`<section id="first-answers">
      <h2>The first ${days} of answers</h2>
      <p>
        They show who appears, on which engine, in which sentence and with which sources. They do
        not show yet:
      </p>
      <ul>
        <li>
          <strong>How often, to within 10 points.</strong>
          ${intervalWords(firstDays.interval, overview.promptCount)}
        </li>
        <li>
          <strong>A change.</strong> From ${dayWords(firstDays.comparableFrom)} on, a week can be
          compared with the week before, for prompts that both weeks have: 10 or more.
        </li>
      </ul>
    </section>
    <section>
      <h2>Latest answers</h2>
      ${table({ caption: 'Latest answers', columns: answerColumns(context, {}), empty: '' }, rows)}
      <p><a href="/w/${context.workspace.slug}/answers">All answers</a></p>
    </section>`;
}

function intervalWords(forecast: IntervalForecast | undefined, prompts: number): string {
  if (forecast === undefined) return 'An interval needs answers to at least 5 prompts.';
  if ('prompts' in forecast) {
    return `About ${forecast.prompts} prompts asked for four weeks would, if as many answers come every day; there are ${prompts}. Answers to one prompt are so alike that more days alone are not enough.`;
  }
  if (forecast.moreDays === 0) return 'That is so already.';
  return `In about ${amount(forecast.moreDays, 'more day')}, if as many answers come every day.`;
}
