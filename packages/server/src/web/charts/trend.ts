import type { TrendBucket } from '../../reports/shares/trend.ts';
import { rateCell } from '../markup/figures.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { dayWords, fewDayWords, periodWords } from '../parts/moment-words.ts';
import { table } from '../parts/table.ts';

/** A day on which the measure changed, with what happened. */
export interface TrendMark {
  readonly date: string;
  readonly words: string;
}

/** A rate over time. */
export interface TrendChart {
  readonly buckets: readonly TrendBucket[];
  /** What the chart shows, such as `Answers that cite Acme, by week`. */
  readonly title: string;
  readonly marks?: readonly TrendMark[];
  /** The sentence under the chart. */
  readonly sentence?: Content;
  /** A small multiple has no sentence and no table. */
  readonly isSmall?: boolean;
}

/**
 * Draws a rate from 0 to 100 % with its band, its line, which has gaps where nothing was counted,
 * and its marks.
 */
export function drawTrend({
  buckets,
  title,
  marks = [],
  sentence,
  isSmall = false,
}: TrendChart): Html {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return html`<p class="hint">No days to show.</p>`;
  const visibleMarks = marks.filter(({ date }) => date >= first.from && date <= last.to);
  const chart = html`<div class="plot">
    <span class="scale high" aria-hidden="true">100 %</span>
    <span class="scale half" aria-hidden="true">50 %</span>
    <span class="scale low" aria-hidden="true">0 %</span>
    ${drawPlot(buckets, visibleMarks, title)}
    <svg class="ticks" aria-hidden="true">
      ${ticks(buckets).map(({ x, words }) => html`<text x="${x}%" y="16">${words}</text>`)}
    </svg>
  </div>`;
  if (isSmall) return html`<div class="trend small">${chart}</div>`;
  return html`<trend-chart class="trend">
    ${chart}
    <output class="hint" aria-live="polite"></output>
    ${
      visibleMarks.length > 0 &&
      html`<ul class="hint">
        ${visibleMarks.map(({ date, words }) => html`<li>${dayWords(date)}: ${words}</li>`)}
      </ul>`
    }
    ${sentence !== undefined && html`<p>${sentence}</p>`}
    <details>
      <summary>Show as a table</summary>
      ${table({ caption: title, columns, empty: '' }, buckets.toReversed())}
    </details>
  </trend-chart>`;
}

/** The labels under the chart: weeks, or months if there are more than ten weeks. */
function ticks(buckets: readonly TrendBucket[]): Array<{ x: string; words: string }> {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isLong = addDays(first.from, 70) <= last.to;
  const step = first.from === first.to ? 7 : 1;
  return buckets.flatMap(({ from, to }, index) => {
    const before = buckets[index - 1]?.to;
    const isTick = isLong
      ? before !== undefined && before.slice(0, 7) !== to.slice(0, 7)
      : index % step === 0;
    const words = isLong ? fewDayWords(to).split(' ').slice(1) : [fewDayWords(from)];
    const x = round(((index + 0.5) * 100) / buckets.length);
    return isTick ? [{ x, words: words.join('') }] : [];
  });
}

const columns = [
  { title: 'Days', cell: (bucket: TrendBucket) => daysOf(bucket) },
  { title: 'Cited in', cell: rateCell, isNumber: true },
];

/** The days of a bucket in words. */
export function daysOf(bucket: TrendBucket): string {
  const days = periodWords(bucket);
  return bucket.isUnfinished ? `${days}, not over yet` : days;
}

interface Point {
  readonly x: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Draws on an area of 1,000 by 100 that is stretched to the page. Strokes must not scale with it.
 */
function drawPlot(
  buckets: readonly TrendBucket[],
  marks: readonly TrendMark[],
  title: string,
): Html {
  const step = 1000 / Math.max(1, buckets.length);
  const points = buckets.map(({ rate, rate_low: low, rate_high: high }, index): Point | undefined =>
    rate === null ? undefined : { x: (index + 0.5) * step, value: rate, low, high },
  );
  const closed = points.filter((_, index) => buckets[index]?.isUnfinished !== true);
  const open = points.length > closed.length ? points.at(-1) : undefined;
  const bandPoints = points.map((point) =>
    point === undefined || point.low === null ? undefined : point,
  );
  const markAt = marks.map(({ date }) => {
    const place = buckets.findIndex(({ to }) => date <= to);
    return place * step;
  });
  return html`<svg
    viewBox="0 0 1000 100"
    preserveAspectRatio="none"
    role="img"
    aria-label="${title}"
  >
    <path class="track" d="M0 0H1000M0 50H1000M0 100H1000" />
    <path
      class="band"
      d="${splitAtGaps(bandPoints)
        .map((each) => area(each, step))
        .join('')}"
    />
    ${markAt.length > 0 && html`<path class="mark-line" d="${markAt.map((x) => `M${round(x)} 0V100`).join('')}" />`}
    <path class="line" d="${splitAtGaps(points).map(line).join('')}" />
    ${open !== undefined && html`<path class="hollow" d="M${round(open.x)} ${y(open.value)}h0" /><path class="hollow inner" d="M${round(open.x)} ${y(open.value)}h0" />`}
  </svg>`;
}

/** Splits points into runs without gaps. */
function splitAtGaps(points: ReadonlyArray<Point | undefined>): Point[][] {
  const stretches: Point[][] = [];
  for (const [index, point] of points.entries()) {
    if (point === undefined) continue;
    if (index === 0 || points[index - 1] === undefined) stretches.push([]);
    stretches.at(-1)?.push(point);
  }
  return stretches;
}

function line(points: readonly Point[]): string {
  const [first, ...others] = points.map(({ x, value }) => `${round(x)} ${y(value)}`);
  return `M${first}${others.length === 0 ? 'h0' : `L${others.join(' ')}`}`;
}

/** The band around a stretch; that of a single point is half a step wide. */
function area(points: readonly Point[], step: number): string {
  const [only] = points;
  const wide =
    points.length === 1 && only !== undefined
      ? [
          { ...only, x: only.x - step / 4 },
          { ...only, x: only.x + step / 4 },
        ]
      : points;
  const upper = wide.map(({ x, high }) => `${round(x)} ${y(high ?? 0)}`);
  const lower = wide.toReversed().map(({ x, low }) => `${round(x)} ${y(low ?? 0)}`);
  return `M${upper.join('L')}L${lower.join('L')}Z`;
}

function y(ratio: number): string {
  return round(100 - ratio * 100);
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
