import type { ListedGap } from '../../../answers/actions/gap-list.ts';
import { amount } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { fold } from '../../parts/fold.ts';
import { gapKind, howWords } from '../../parts/gap-sentences.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { level } from './gap-row.ts';
import { dayMs, utcDay } from '../../../values/time/utc-day.ts';
import type { ListedPrompt } from '../../../reports/prompt-pages/prompt-list.ts';
import { counts, table } from '../../parts/table.ts';

/** The gaps of one topic, or one gap of none. */
export interface GapCard {
  /** The topic of several gaps; null for a gap alone. */
  readonly topic: string | null;
  /** Most impact first, at least one. */
  readonly gaps: readonly ListedGap[];
}

/** Most gaps of a topic that its card shows. */
const gapsMax = 20;

/** A card of one gap. */
export function alone(gap: ListedGap): GapCard {
  return { topic: null, gaps: [gap] };
}

/** Groups gaps by topic, in the order of each topic's first gap. Gaps of no topic follow. */
export function toCards(gaps: readonly ListedGap[]): GapCard[] {
  const [free, ofTopics] = [
    gaps.filter(({ topic }) => topic === null),
    gaps.filter(({ topic }) => topic !== null),
  ];
  const cards = [...Map.groupBy(ofTopics, ({ topic }) => topic)].map(([topic, own]) => ({
    topic: own.length > 1 ? topic : null,
    gaps: own,
  }));
  return [...cards, ...free.map(alone)];
}

/** The cards under their priorities. Those of the lowest are folded if there are others. */
export function groups(
  context: WorkspaceContext,
  cards: readonly GapCard[],
  row: (gap: ListedGap) => Html,
): Content {
  if (cards.length === 0) return html`<p class="hint">There is no such gap.</p>`;
  const rows = (listed: readonly GapCard[]): Html => html`<ul class="rows">
    ${listed.map((card) => (card.topic === null ? card.gaps.map(row) : topicCard(context, card.topic, { gaps: card.gaps, row })))}
  </ul>`;
  const of = (wanted: ListedGap['priority']) =>
    cards.filter(({ gaps: [first] }) => first?.priority === wanted);
  const [high, medium, low] = [of('high'), of('medium'), of('low')];
  const part = (title: string, hint: Content, listed: readonly GapCard[]): Content =>
    listed.length > 0 &&
    html`<section aria-label="${title}">
      <div class="title"><h2>${title}</h2>${hint}</div>
      ${rows(listed)}
    </section>`;
  return html`${part('High', html`<p class="hint">Where most answers could be won</p>`, high)}
  ${part('Medium', '', medium)}
  ${high.length + medium.length === 0 ? part('Low', '', low) : low.length > 0 && html`<section>${fold(`${low.length} of low impact`, rows(low))}</section>`}`;
}

/** The gaps of one topic, folded under what they are. */
function topicCard(
  context: WorkspaceContext,
  topic: string,
  { gaps, row }: { gaps: readonly ListedGap[]; row: (gap: ListedGap) => Html },
): Content {
  const [first] = gaps;
  if (first === undefined) return undefined;
  const prompts = new Set(gaps.flatMap(({ promptIds }) => promptIds)).size;
  const kinds = [...Map.groupBy(gaps, ({ kind }) => gapKind(kind))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([kind, own]) => `${kind} ${own.length}`);
  const step = howWords(first.step);
  const all = viewLink(context, 'gaps', { status: first.status, tag: topic });
  return html`<li>
    ${level(first.priority)}
    <div class="what">
      <a class="topic" data-row data-foreign href="${all}">${topic}</a>
      <p>${amount(gaps.length, 'gap')} of ${amount(prompts, 'prompt')}: ${kinds.join(', ')}.</p>
      ${step !== undefined && html`<p data-foreign><b>First:</b> ${step}</p>`}
      ${fold(
        gaps.length > gapsMax ? `The first ${gapsMax} gaps` : `The ${gaps.length} gaps`,
        html`<ul class="rows">
          ${gaps.slice(0, gapsMax).map(row)}
        </ul>`,
      )}
    </div>
  </li>`;
}

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
