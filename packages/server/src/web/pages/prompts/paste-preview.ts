import type { PastedPrompts } from '../../../answers/paste-prompts.ts';
import { amount } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';

const shownMax = 200;

/** Shows what a pasted text would add, and the lines that would add nothing. */
export function pastePreview({ fresh, tracked, repeated, invalid }: PastedPrompts): Html {
  const branded = fresh.filter(({ isBranded }) => isBranded).length;
  return html`<section aria-labelledby="preview">
    <h2 id="preview">What it would add</h2>
    <p>
      ${fresh.length === 0 ? 'No prompt is new.' : `${amount(fresh.length, 'new prompt')}.`}
      ${branded > 0 && `${amount(branded, 'prompt')} with the brand’s name: their answers are not counted.`}
    </p>
    ${lines(
      'Not valid, and left out',
      invalid.map(({ line, fault }) => `Line ${line}: ${fault}`),
    )}
    ${lines(
      'Twice in the text, and added once',
      repeated.map(({ line, first }) => `Line ${line} repeats line ${first}.`),
    )}
    ${lines(
      'Tracked already',
      tracked.map((line) => `Line ${line}`),
    )}
    ${
      fresh.length > 0 &&
      html`<h3>New</h3>
        <ul class="quotes">
          ${fresh.slice(0, shownMax).map(
            ({ text, isBranded, namesCompetitor }) =>
              html`<li>
                  ${text} ${isBranded && html`<span class="tag">branded</span>`}
                  ${namesCompetitor && html`<span class="tag">names a competitor</span>`}
                </li>`,
          )}
        </ul>
        ${fresh.length > shownMax && html`<p class="hint">The first ${shownMax} are shown.</p>`}`
    }
  </section>`;
}

function lines(title: string, all: readonly string[]): Content {
  if (all.length === 0) return undefined;
  return html`<details>
    <summary>${title}: ${amount(all.length, 'line')}</summary>
    <ul>
      ${all.slice(0, shownMax).map((words) => html`<li>${words}</li>`)}
    </ul>
    ${all.length > shownMax && html`<p class="hint">The first ${shownMax} are shown.</p>`}
  </details>`;
}
