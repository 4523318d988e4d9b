import type { ShareRow } from '@overheard/contract';
import type { TrendBucket } from '../../reports/shares/trend.ts';
import { printable } from '../../values/printable.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { intervalWords, rateCell, tooFew } from '../markup/figures.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { fold } from '../parts/fold.ts';
import { dayWords, fewDayWords, periodWords } from '../parts/moment-words.ts';
import { counts, table } from '../parts/table.ts';
import type { Columns } from '../parts/table.ts';

/** A day on which the measure changed, with what happened. */
export interface TrendMark {
  readonly date: string;
  readonly words: string;
}

/** A rate over time. */
export interface TrendChart {
  readonly buckets: readonly TrendBucket[];
  /** What the chart shows, such as `Answers in which Acme appears, by week`. */
  readonly title: string;
  /** Who the line is, at its end. */
  readonly name?: string;
  /** A second line in grey: the best rival in the same buckets. */
  readonly rival?: { readonly name: string; readonly buckets: readonly TrendBucket[] } | undefined;
  /** The first day of the tinted period, which the figures beside the chart are about. */
  readonly now?: { readonly from: string; readonly words: string } | undefined;
  readonly marks?: readonly TrendMark[];
  /** The sentence under the chart. */
  readonly sentence?: Content;
  /** What stands above the table. */
  readonly details?: Content;
}

/**
 * Draws a rate with its band and its line, which has gaps where nothing was counted, beside the best
 * rival's line, and marks the days on which the measure changed. The figures are in its table.
 */
export function drawTrend(chart: TrendChart): Html {
  const { buckets, title, name, rival, now, marks = [], sentence, details } = chart;
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return html`<p class="hint">No days to show.</p>`;
  const visibleMarks = marks.filter(({ date }) => date >= first.from && date <= last.to);
  const top = topOf([...buckets, ...(rival?.buckets ?? [])]);
  const height = heightOf(top);
  const start = now === undefined ? 0 : buckets.findIndex(({ from }) => from >= now.from);
  const tint = start > 0 ? (start * 1000) / buckets.length : undefined;
  const lines = [
    ...(rival === undefined ? [] : [{ name: rival.name, buckets: rival.buckets, isOwn: false }]),
    { ...(name !== undefined && { name }), buckets, isOwn: true },
  ];
  return html`<trend-chart class="trend">
    <div class="plot">
      <svg class="scale" aria-hidden="true">
        ${[top, (top * 2) / 3, top / 3, 0].map((level, index) => html`<text x="100%" y="${height(level)}%" dy="4">${Math.round(level * 100)}${index === 0 && ' %'}</text>`)}
      </svg>
      <svg role="img" aria-label="${title}">
        <svg viewBox="0 0 1000 100" preserveAspectRatio="none" width="100%" height="100%">
          ${tint !== undefined && html`<path class="now" d="M${round(tint)} 0H1000V100H${round(tint)}Z" />`}
          <path class="track" d="M0 0H1000M0 33.3H1000M0 66.7H1000M0 100H1000" />
          ${visibleMarks.length > 0 && html`<path class="mark-line" d="${marksPath(buckets, visibleMarks)}" />`}
          ${lines.map((line) => drawLine(line.buckets, height, line.isOwn))}
        </svg>
        ${tint !== undefined && html`<text x="${round(tint / 10)}%" dx="6" y="15">${now?.words}</text>`}
      </svg>
      ${name !== undefined && endNames(lines, height)}
      <svg class="ticks" aria-hidden="true">
        ${ticks(buckets).map(({ x, words }) => html`<text x="${x}%" y="16">${words}</text>`)}
      </svg>
    </div>
    <output class="hint" aria-live="polite"></output>
    <div class="under">
      <p class="hint">${sentence}</p>
      ${fold('As a table', [
        details,
        visibleMarks.length > 0 &&
          html`<ul class="hint">
            ${visibleMarks.map(({ date, words }) => html`<li>${dayWords(date)}: ${words}</li>`)}
          </ul>`,
        table({ caption: title, columns: tableColumns(chart), empty: '' }, buckets.toReversed()),
      ])}
    </div>
  </trend-chart>`;
}

/**
 * Draws a rate on a scale from 0 to 100 %: the time before the period in grey, the period itself in
 * the colour of its verdict.
 */
export function drawMultiple({
  buckets,
  title,
  from,
  verdict,
}: {
  readonly buckets: readonly TrendBucket[];
  readonly title: string;
  /** The first day of the period. */
  readonly from: string;
  readonly verdict: ShareRow['rate_verdict'];
}): Html {
  const height = heightOf(1);
  const points = pointsOf(buckets);
  const start = Math.max(
    0,
    buckets.findIndex((bucket) => bucket.from >= from),
  );
  const move = verdict === 'up' || verdict === 'down' ? verdict : 'none';
  const isIn = (_: unknown, index: number) => index >= start;
  return html`<svg role="img" aria-label="${title}" data-move="${move}">
    <svg viewBox="0 0 1000 100" preserveAspectRatio="none" width="100%" height="100%">
      <path class="track" d="M0 0H1000M0 100H1000" />
      <path class="band" d="${bands(
        points.map((point, index) => (isIn(point, index) ? point : undefined)),
        height,
      )}" />
      <path class="line past" d="${linePath(points.slice(0, start + 1), height)}" />
      <path class="line" d="${linePath(points.filter(isIn), height)}" />
    </svg>
  </svg>`;
}

/** The top of the scale, a little above the highest point: 30, 45, 60, 75, 90 or 100 %. */
function topOf(buckets: readonly TrendBucket[]): number {
  const highest = Math.max(...buckets.map(({ rate, rate_high: high }) => high ?? rate ?? 0));
  return Math.min(1, Math.max(0.3, Math.ceil((highest * 1.05) / 0.15) * 0.15));
}

/** The place of a ratio in per cent from the top. */
type Height = (ratio: number) => string;

function heightOf(top: number): Height {
  return (ratio) => round(100 - (ratio * 100) / top);
}

/** The names at the ends of the lines, moved apart if they are near. */
function endNames(
  lines: ReadonlyArray<{ name?: string; buckets: readonly TrendBucket[]; isOwn: boolean }>,
  height: Height,
): Html {
  const ends = lines
    .map(({ name, buckets, isOwn }) => {
      const last = buckets.findLast(({ rate }) => rate !== null)?.rate ?? 0;
      const y = Math.min(95, Number(height(last)));
      return { name: printable(name ?? '', { lengthMax: 11 }), isOwn, y };
    })
    .toSorted((left, right) => left.y - right.y);
  const [upper, lower] = ends;
  if (upper && lower && lower.y - upper.y < nameGap) {
    const middle = (upper.y + lower.y) / 2;
    [upper.y, lower.y] = [middle - nameGap / 2, middle + nameGap / 2];
  }
  return html`<svg class="ends" aria-hidden="true">
    ${ends.map(({ name, isOwn, y }) => html`<text ${isOwn && html` class="own"`} y="${round(y)}%" dy="4">${name}</text>`)}
  </svg>`;
}

/** A line of 12 px in per cent of the height on a phone. */
const nameGap = 10;

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

/** The figures of a chart: of each bucket the rates, the interval and the answers. */
function tableColumns({ name = 'Appears in', rival }: TrendChart): Columns<TrendBucket> {
  const rivalAt = new Map(rival?.buckets.map((bucket) => [bucket.to, bucket]));
  const columns: Columns<TrendBucket> = [
    {
      title: 'Days',
      cell: (bucket) => `${periodWords(bucket)}${bucket.isUnfinished ? ', not over yet' : ''}`,
    },
    { title: name, cell: rateCell, isNumber: true },
    {
      title: '95 % interval',
      cell: ({ rate_low: low, rate_high: high }) =>
        html`<span class="scale">${intervalWords(low, high) ?? tooFew}</span>`,
      isNumber: true,
    },
    counts('Answers', ({ runs }) => runs),
  ];
  if (rival === undefined) return columns;
  const cell = ({ to }: TrendBucket): Content => {
    const bucket = rivalAt.get(to);
    return bucket !== undefined && rateCell(bucket);
  };
  return [...columns, { title: rival.name, cell, isNumber: true }];
}

interface Point {
  readonly x: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The width of its bucket. */
  readonly step: number;
}

/** The points of buckets on an area of 1,000 by 100 that is stretched to the page. */
function pointsOf(buckets: readonly TrendBucket[]): Array<Point | undefined> {
  const step = 1000 / Math.max(1, buckets.length);
  return buckets.map(({ rate, rate_low: low, rate_high: high }, index) =>
    rate === null ? undefined : { x: (index + 0.5) * step, value: rate, low, high, step },
  );
}

/** The band of the brand, its line, and a hollow point where the bucket is not over. */
function drawLine(buckets: readonly TrendBucket[], height: Height, isOwn: boolean): Html {
  const points = pointsOf(buckets);
  if (!isOwn) return html`<path class="line rival" d="${linePath(points, height)}" />`;
  const open = buckets.at(-1)?.isUnfinished === true ? points.at(-1) : undefined;
  const place = open && `M${round(open.x)} ${height(open.value)}h0`;
  return html`<path class="band" d="${bands(points, height)}" />
    <path class="line" d="${linePath(points, height)}" />
    ${place !== undefined && html`<path class="hollow" d="${place}" /><path class="hollow inner" d="${place}" />`}`;
}

function marksPath(buckets: readonly TrendBucket[], marks: readonly TrendMark[]): string {
  const step = 1000 / buckets.length;
  const places = marks.map(({ date }) => buckets.findIndex(({ to }) => date <= to) * step);
  return [...new Set(places)].map((x) => `M${round(x)} 0V100`).join('');
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

function linePath(points: ReadonlyArray<Point | undefined>, height: Height): string {
  return splitAtGaps(points)
    .map((stretch) => {
      const [first, ...others] = stretch.map(({ x, value }) => `${round(x)} ${height(value)}`);
      return `M${first}${others.length === 0 ? 'h0' : `L${others.join('L')}`}`;
    })
    .join('');
}

/** The bands around the stretches that have an interval. */
function bands(points: ReadonlyArray<Point | undefined>, height: Height): string {
  const known = points.map((point) => (point?.low === null ? undefined : point));
  return splitAtGaps(known)
    .map((stretch) => area(stretch, height))
    .join('');
}

/** The band around a stretch; that of a single point is half a step wide. */
function area(points: readonly Point[], height: Height): string {
  const [only] = points;
  const wide =
    points.length === 1 && only !== undefined
      ? [
          { ...only, x: only.x - only.step / 4 },
          { ...only, x: only.x + only.step / 4 },
        ]
      : points;
  const upper = wide.map(({ x, high }) => `${round(x)} ${height(high ?? 0)}`);
  const lower = wide.toReversed().map(({ x, low }) => `${round(x)} ${height(low ?? 0)}`);
  return `M${upper.join('L')}L${lower.join('L')}Z`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
