import { amount } from '../../../values/plural.ts';
import { dayMs, utcDay } from '../../../values/time/utc-day.ts';
import type { ListedPrompt } from '../../../reports/prompt-pages/prompt-list.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { counts, table } from '../../parts/table.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** Answers to a prompt without which no gap is opened: see docs/actions.md. */
const answersMin = 5;
const windowDays = 28;
const promptsShown = 10;

/** Shown in place of the gaps if there are none: why, and where the first ones may be. */
export async function noGapsPart(
  context: WorkspaceContext,
  filter: Readonly<Record<string, string | null | undefined>>,
): Promise<Html> {
  if (Object.values(filter).some((value) => value !== undefined)) {
    return html`<p class="notice">
      No gap fits. <a href="/w/${context.workspace.slug}/gaps">Show all gaps</a>.
    </p>`;
  }
  const { rows } = await context.reports.read('prompts', {
    from: utcDay(context.clock() - (windowDays - 1) * dayMs),
    to: utcDay(context.clock()),
    excludesCompetitorPrompts: false,
    isActive: true,
    sort: 'rate',
    isDescending: false,
    offset: 0,
    rowsMax: promptsShown * 10,
  });
  return html`<section>
    <h2>No gaps yet</h2>
    <p>
      One answer may be chance, so a prompt needs ${answersMin} answers within ${windowDays} days: five engines,
      or five times of asking. Gaps are found after each import of answers, after each time of asking,
      and from requests of crawlers.
    </p>
    ${possibleGaps(context, rows.filter(isPossible).slice(0, promptsShown))}
  </section>`;
}

/** Too few answers to tell, and a competitor is in some of them while the brand is in none. */
function isPossible({ runs, brand, leader }: ListedPrompt): boolean {
  return brand !== null && leader !== null && runs < answersMin && brand.cited === 0;
}

function possibleGaps(context: WorkspaceContext, prompts: readonly ListedPrompt[]): Content {
  if (prompts.length === 0) return undefined;
  return html`<h3>Where you do not appear so far</h3>
    ${table<ListedPrompt>(
      {
        caption: 'Where you do not appear so far',
        empty: '',
        columns: [
          {
            title: 'Prompt',
            cell: ({ id, text, language }) =>
              html`<a href="${viewLink(context, `prompts/${id}`)}" lang="${language}">${text}</a>`,
          },
          {
            title: 'Appears there',
            cell: ({ leader }) =>
              leader !== null &&
              `${leader.name}, in ${leader.cited} of ${amount(leader.runs, 'answer')}`,
          },
          counts('Answers so far', ({ runs }) => runs),
        ],
      },
      prompts,
    )}`;
}
