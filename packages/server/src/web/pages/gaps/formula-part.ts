import type { GapDetails } from '../../../answers/actions/gap-details.ts';
import { impactWord } from '../../../answers/actions/impact.ts';
import type { StoredAction } from '../../../answers/actions/stored-actions.ts';
import { twoDecimals } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { dayWords } from '../../parts/moment-words.ts';

/** Shows how the impact of a gap is computed, with its numbers. */
export function formulaPart({ action, derived }: GapDetails): Html {
  return html`<p>Impact: ${impactWord(action.impact_score) ?? 'not known'}.</p>
    ${
      derived === null
        ? html`<p>
            ${
              action.kind === null
                ? 'It was imported, so the inputs of its impact are unknown.'
                : 'It was derived by older rules. Deriving again shows its formula if the gap is still there.'
            }
          </p>`
        : formula(action, derived)
    }`;
}

function formula(
  { impact_score: stored }: StoredAction,
  { parts, impact, measure, unit }: NonNullable<GapDetails['derived']>,
): Html {
  const { from, band, atStake, half, days, stake } = parts;
  const { part, whole } = stake.share;
  const start = from === 0 ? '' : `${from} + `;
  return html`<pre tabindex="0"><code>impact = ${start}${band} x stake / (stake + half)
       = ${start}${band} x ${atStake} / (${atStake} + ${twoDecimals(half)}) = ${impact.toFixed(2)}</code></pre>
    <dl class="facts">
      <dt>Stake ${atStake}</dt>
      <dd>
        at least ${twoDecimals(stake.low)} ${unit}s, the lower end of the 95 % interval of ${part}
        of ${whole}: ${measure}${stake.worth !== 1 && `. Each is worth ${twoDecimals(stake.worth)}`}
      </dd>
      <dt>Half ${twoDecimals(half)}</dt>
      <dd>
        ${unit === 'run' ? 'half of the runs of a typical prompt' : 'this many requests give an impact in the middle of the range'}
      </dd>
    </dl>
    <p class="hint">
      Counted from ${dayWords(days.from)} to ${dayWords(days.to)}, UTC. Priority is high from 60,
      medium from 30.
      ${stored !== impact && 'An import has set another impact. Deriving again, while the gap is open, undoes that.'}
    </p>`;
}
