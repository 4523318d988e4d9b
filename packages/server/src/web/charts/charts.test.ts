import { expect, test } from 'vitest';
import type { TrendBucket } from '../../reports/shares/trend.ts';
import { intervalDot } from './interval-dot.ts';
import { drawTrend } from './trend.ts';

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
  expect(paths(text, 'line')).toEqual(['M100 50L300 60M700 70L900 80']);
  expect(paths(text, 'band')[0]?.match(/Z/g)).toHaveLength(2);
});

test('a bucket without neighbours is a dot with a band, and one without an interval has no band', () => {
  const { text } = drawTrend({
    title,
    buckets: buckets([null, 0.5, null, 0.5, 0.5]).map((bucket, index) =>
      index > 2 ? { ...bucket, rate_low: null, rate_high: null } : bucket,
    ),
  });
  expect(paths(text, 'line')).toEqual(['M300 50h0M700 50L900 50']);
  expect(paths(text, 'band')).toEqual(['M250 40L350 40L350 60L250 60Z']);
});

test('the unfinished bucket is hollow, and its row says that it is not over', () => {
  const { text } = drawTrend({ title, buckets: buckets([0.5, 0.4]) });
  expect(paths(text, 'hollow')).toEqual(['M750 60h0']);
  expect(text).toContain('2 November 2026, not over yet');
});

test('every bucket is a row of the table with its sample and its interval', () => {
  const { text } = drawTrend({ title, buckets: buckets([0.5, null]) });
  expect(text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
    /not over yet not measured of 0 1 November 2026 50 % of 40 \(40 to 60 %\)/,
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

test('0 and 1 are drawn on the edges, in a chart and as a dot', () => {
  const all = buckets([0, 1]).map((bucket) => ({ ...bucket, rate_low: null, rate_high: null }));
  expect(paths(drawTrend({ title, buckets: all, isSmall: true }).text, 'line')).toEqual([
    'M250 100L750 0',
  ]);
  expect(intervalDot({ value: 1, low: 0.925, high: 1 }).text).toContain('M92.5 8H100');
});

test('an interval that is not known is not drawn', () => {
  expect(intervalDot({ value: 0.5, low: null, high: null }).text).not.toContain('band');
  expect(intervalDot({ value: null, low: null, high: null }).text).not.toContain('circle');
});
