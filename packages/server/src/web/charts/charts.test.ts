import { expect, test } from 'vitest';
import type { TrendBucket } from '../../reports/shares/trend.ts';
import { ruler } from './ruler.ts';
import { drawMultiple, drawTrend } from './trend.ts';

const title = 'Answers that cite Acme, by day';

/** Buckets of one day each; a null is a day on which nothing was counted. */
function buckets(rates: ReadonlyArray<number | null>): TrendBucket[] {
  return rates.map((rate, index) => {
    const day = `2026-11-${String(index + 1).padStart(2, '0')}`;
    return {
      from: day,
      to: day,
      runs: rate === null ? 0 : 40,
      rate,
      rate_low: rate === null ? null : rate - 0.1,
      rate_high: rate === null ? null : rate + 0.1,
      isUnfinished: index === rates.length - 1,
    };
  });
}

function paths(chart: string, name: string): string[] {
  return [...chart.matchAll(new RegExp(`class="${name}"\\s+d="([^"]*)"`, 'g'))].map(
    ([, path]) => path ?? '',
  );
}

test('a gap stays a gap in the line and in the band', () => {
  const { text } = drawTrend({ title, buckets: buckets([0.5, 0.4, null, 0.3, 0.2]) });
  expect(paths(text, 'line')).toEqual(['M100 33.3L300 46.7M700 60L900 73.3']);
  expect(paths(text, 'band')[0]?.match(/Z/g)).toHaveLength(2);
});

test('a bucket without neighbours is a dot with a band, and one without an interval has no band', () => {
  const { text } = drawTrend({
    title,
    buckets: buckets([null, 0.5, null, 0.5, 0.5]).map((bucket, index) =>
      index > 2 ? { ...bucket, rate_low: null, rate_high: null } : bucket,
    ),
  });
  expect(paths(text, 'line')).toEqual(['M300 33.3h0M700 33.3L900 33.3']);
  expect(paths(text, 'band')).toEqual(['M250 20L350 20L350 46.7L250 46.7Z']);
});

test('the unfinished bucket is hollow, and its row says that it is not over', () => {
  const { text } = drawTrend({ title, buckets: buckets([0.5, 0.4]) });
  expect(paths(text, 'hollow')).toEqual(['M750 46.7h0']);
  expect(text).toContain('2 November 2026, not over yet');
});

test('every bucket is a row of the table with its sample and its interval', () => {
  const { text } = drawTrend({ title, buckets: buckets([0.5, null]) });
  expect(text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
    /not over yet not measured – 0 1 November 2026 50 % 40 to 60 % 40/,
  );
});

test('a mark is shown with its words, and one outside of the days is left out', () => {
  const marks = ['2026-10-31', '2026-11-02'].map((date) => ({ date, words: `changed ${date}` }));
  const { text } = drawTrend({ title, buckets: buckets([0.5, 0.4]), marks });
  expect(paths(text, 'mark-line')).toEqual(['M500 0V100']);
  expect(text).toContain('2 November 2026: changed 2026-11-02');
  expect(text).not.toContain('changed 2026-10-31');
});

test('the days of a chart are labelled by week, and by month where they are many', () => {
  const labels = (from: readonly string[]) =>
    [
      ...drawTrend({
        title,
        buckets: from.flatMap((day) =>
          buckets([0.5]).map((bucket) => ({ ...bucket, from: day, to: day })),
        ),
      }).text.matchAll(/<text x="([^"]*)" y="16">([^<]*)</g),
    ].map(([, x, words]) => [x, words]);
  expect(labels(['2026-11-01', '2026-11-02'])).toEqual([['25%', '1 Nov']]);
  expect(labels(['2026-10-31', '2026-11-30', '2026-12-01', '2027-01-20'])).toEqual([
    ['37.5%', 'Nov'],
    ['62.5%', 'Dec'],
    ['87.5%', 'Jan'],
  ]);
});

test('0 and 1 are drawn on the edges, in a small chart and on a ruler', () => {
  const all = buckets([0, 1]).map((bucket) => ({ ...bucket, rate_low: null, rate_high: null }));
  const small = drawMultiple({ title, buckets: all, from: '2026-11-01', verdict: 'up' });
  expect(paths(small.text, 'line')).toEqual(['M250 100L750 0']);
  expect(ruler([{ value: 1, low: 0.925, high: 1 }]).text).toMatch(/x1="92.5%"\s+x2="100%"/);
});

test('an interval that is not known is not drawn', () => {
  expect(ruler([{ value: 0.5, low: null, high: null }]).text).not.toContain('range');
  expect(ruler([{ value: null, low: null, high: null }]).text).not.toContain('circle');
});

test('a small chart is grey before the period and coloured in it, if the change is proven', () => {
  const draw = (verdict: 'up' | 'within_chance') =>
    drawMultiple({ title, buckets: buckets([0.5, 0.5, 0.6]), from: '2026-11-02', verdict }).text;
  expect(paths(draw('up'), 'line past')).toEqual(['M166.7 50L500 50']);
  expect(paths(draw('up'), 'line')).toEqual(['M500 50L833.3 40']);
  expect(
    [draw('up'), draw('within_chance')].map((text) => /data-move="(\w+)"/.exec(text)?.[1]),
  ).toEqual(['up', 'none']);
});

test('the period is tinted, and the names at the ends of two near lines do not touch', () => {
  const { text } = drawTrend({
    title,
    name: 'Acme',
    rival: { name: 'Globex', buckets: buckets([0.5, 0.5, 0.5]) },
    now: { from: '2026-11-02', words: 'these 2 days' },
    buckets: buckets([0.5, 0.5, 0.5]),
  });
  expect(paths(text, 'now')).toEqual(['M333.3 0H1000V100H333.3Z']);
  const places = [...text.matchAll(/<text[^>]*y="([\d.]+)%" dy="4">(Acme|Globex)/g)];
  expect(Math.abs(Number(places[0]?.[1]) - Number(places[1]?.[1]))).toBeCloseTo(10);
});
