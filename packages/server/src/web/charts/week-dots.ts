import type { WeekCount } from '../../reports/prompt-pages/prompt-weeks.ts';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';

/**
 * The brand in one prompt, week by week: the higher a dot, the more of the counted answers cite it. A week
 * without answers stays a gap, and the week that is not over is hollow.
 */
export function weekDots(weeks: readonly WeekCount[], today: string): Html {
  const words = weeks.map(({ runs, cited }) => (runs === 0 ? 'none' : `${cited} of ${runs}`));
  return html`<svg
    class="weekly"
    viewBox="0 0 ${10 * weeks.length} 24"
    role="img"
    aria-label="Answers that cite you by week, the oldest first: ${words.join(', ')}"
  >
    <path class="track" d="M0 22H${10 * weeks.length}" />
    ${weeks.map(
      ({ runs, cited, to }, index) =>
        runs > 0 &&
        html`<circle
          cx="${10 * index + 5}"
          cy="${Math.round(20 - (16 * cited) / runs)}"
          r="3"
          ${to >= today && html` class="open"`}
        />`,
    )}
  </svg>`;
}
