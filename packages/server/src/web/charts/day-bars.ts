import type { Period } from '../../reports/shares/windows.ts';
import { thousands } from '../../values/plural.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { html } from '../markup/html.ts';
import type { Html } from '../markup/html.ts';
import { dayWords, fewDayWords } from '../parts/moment-words.ts';

/** One UTC day: how many there were, and how many of them went wrong. */
interface DayBar {
  readonly date: string;
  readonly count: number;
  readonly bad: number;
}

/** Draws a bar for each UTC day of a period, with what went wrong at its foot. */
export function dayBars(title: string, { from, to }: Period, bars: readonly DayBar[]): Html {
  const byDate = new Map(bars.map((bar) => [bar.date, bar]));
  const dates: string[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  const top = scaleTop(Math.max(...bars.map(({ count }) => count)));
  const width = 100 / dates.length;
  return html`<div class="plot">
      <svg class="scale" aria-hidden="true">
        ${[top, top / 2, 0].map((level) => html`<text x="100%" y="${round(100 - (level * 100) / top)}%" dy="4">${thousands(level)}</text>`)}
      </svg>
      <svg role="img" aria-label="${title}" class="bars">
        ${['0', '50%', '100%'].map((y) => html`<line class="track" x2="100%" y1="${y}" y2="${y}" />`)}
        ${dates.map((date, place) => {
          const { count = 0, bad = 0 } = byDate.get(date) ?? {};
          const part = (amount: number, base: number, words: string, isBad: boolean) =>
            amount > 0 &&
            html`<rect ${isBad && html` class="bad"`} x="${round((place + 0.2) * width)}%" width="${round(0.6 * width)}%" y="${round(100 - ((base + amount) * 100) / top)}%" height="${round((amount * 100) / top)}%"><title>${dayWords(date)}: ${thousands(amount)} ${words}</title></rect>`;
          return [part(count - bad, bad, 'answered', false), part(bad, 0, 'refused', true)];
        })}
      </svg>
      <svg class="ticks" aria-hidden="true">
        ${dates.map((date, place) => (dates.length - 1 - place) % 7 === 0 && html`<text x="${round((place + 0.5) * width)}%" y="16">${fewDayWords(date)}</text>`)}
      </svg>
    </div>
    <p class="hint legend">
      <span><i class="own"></i>answered</span> <span><i class="bad"></i>refused</span>
    </p>`;
}

/** The end of the scale: 1, 2 or 5 times a power of ten, and even, so that its half is whole. */
function scaleTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  return Math.max(2, ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power);
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}
