import { expect, test } from 'vitest';
import type { TrendBucket } from '../../reports/shares/trend.ts';
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
  expect(paths(text, 'line')).toEqual(['M100 33.3L300 46.7M700 60L900 73.3']);
  expect(paths(text, 'band')[0]?.match(/Z/g)).toHaveLength(2);
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
