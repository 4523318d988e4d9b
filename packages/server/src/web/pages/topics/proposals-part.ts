import { amount, thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { fold } from '../../parts/fold.ts';
import { titleLine } from '../../parts/title-line.ts';
import type { ReportResult } from '../../reader/run-report.ts';
import { viewLink } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

type Proposals = ReportResult<'topicProposals'>;
type Prompt = Proposals['others'][number];

/** The default button, which does nothing: the return key in a name must not accept another topic. */
const noDefault = html`<button disabled hidden></button>`;

/** In the list of the form, it comes before the name of each topic, which its ticked prompts follow. */
export const groupMark = 'topic';

/** Most cards and prompts of a card to show. The others follow once these are accepted. */
const [cardsMax, promptsMax] = [50, 40];
const othersMax = 100;

/** The proposed topics as cards: a name to edit, prompts to untick, and a button to accept. */
export function proposalsPart(
  context: WorkspaceContext,
  { topics, others, skipped }: Proposals,
  mayChange: boolean,
): Content {
  const shown = topics.slice(0, cardsMax);
  const cards = html`<ul class="topics">
    ${shown.map((topic, at) => card(context, topic, { at, mayChange }))}
  </ul>`;
  return html`${
    topics.length > 0 &&
    html`<section id="proposed">
      ${titleLine('Proposed topics', topics.length > shown.length && `${shown.length} of ${topics.length}; the others follow`)}
      ${
        mayChange
          ? html`<form method="post" action="${viewLink(context, 'topics/accept')}">
              ${noDefault}
              ${cards}
              <p class="actions">
                <button class="button primary" name="do" value="all">Accept ${shown.length === 1 ? 'it' : `all ${shown.length}`}</button>
              </p>
            </form>`
          : cards
      }
    </section>`
  }
  ${
    others.length > 0 &&
    html`<section>
      ${fold(
        `${amount(others.length, 'prompt')} without a topic or a proposal`,
        html`<ul>
            ${others.slice(0, othersMax).map((prompt) => html`<li>${link(context, prompt)}</li>`)}
          </ul>
          ${others.length > othersMax && html`<p class="hint">${othersMax} are shown.</p>`}`,
      )}
    </section>`
  }
  ${skipped > 0 && html`<p class="hint">The oldest ${thousands(skipped)} prompts are not compared.</p>`}`;
}

function card(
  context: WorkspaceContext,
  { name, isKnown, prompts }: Proposals['topics'][number],
  { at, mayChange }: { at: number; mayChange: boolean },
): Html {
  const title = isKnown ? 'Add to this topic' : 'Topic';
  if (!mayChange) {
    return html`<li>
      <h3>${isKnown && 'Add to '}${name}</h3>
      ${prompts.slice(0, promptsMax).map((prompt) => html`<p>${link(context, prompt)}</p>`)}
    </li>`;
  }
  return html`<li>
    <input type="hidden" name="topic[]" value="${groupMark}" />
    <label class="hint" for="topic-${at}">${title}</label>
    <input type="text" id="topic-${at}" name="topic[]" value="${name}" maxlength="60" required autocomplete="off" />
    ${prompts.slice(0, promptsMax).map(
      ({ id, text, locale }) =>
        html`<p class="check">
          <input type="checkbox" id="in-${id}" name="topic[]" value="${id}" checked />
          <label for="in-${id}" lang="${locale}">${text}</label>
        </p>`,
    )}
    ${prompts.length > promptsMax && html`<p class="hint">${prompts.length - promptsMax} more follow.</p>`}
    <p><button class="button small" name="do" value="${at}" aria-describedby="topic-${at}">Accept</button></p>
  </li>`;
}

function link(context: WorkspaceContext, { id, text, locale }: Prompt): Html {
  return html`<a lang="${locale}" href="${viewLink(context, `prompts/${id}`)}">${text}</a>`;
}
