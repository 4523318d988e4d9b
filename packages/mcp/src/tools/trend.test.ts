import { expect, test } from 'vitest';
import type { ScoreRow } from '@overheard/contract';
import { scoreRows } from '../../test/rows.ts';
import { trend } from './trend.ts';

function score(date: string, citations: number, engine = 'chatgpt'): ScoreRow {
  return { date, engine, citations, total_runs: 10, sov: 0.5 };
}

test('56 days and more are two halves of 28 days, by summed counts', () => {
  expect(trend(scoreRows(180))).toEqual(trend(scoreRows(56)));
  expect(trend(scoreRows(56))[0]).toBe(
    'Citation rate (counted runs that cite the brand; not share of voice), 2026-10-24 to 2026-11-20 and in the equal period before: all 2 engines 672 of 2240 (30.0 %), before 392 of 2240 (17.5 %); chatgpt 560 of 1120 (50.0 %), before 280 of 1120 (25.0 %); perplexity 112 of 1120 (10.0 %), before 112 of 1120 (10.0 %).',
  );
});

test('fewer days are halved, the odd one left out', () => {
  const rows = [score('2026-11-20', 6), score('2026-11-19', 2), score('2026-11-18', 9)];
  expect(trend(rows)).toEqual([
    'Citation rate (counted runs that cite the brand; not share of voice), 2026-11-20 to 2026-11-20 and in the equal period before: chatgpt 6 of 10 (60.0 %), before 2 of 10 (20.0 %).',
  ]);
});

test('days without a row count as days: halves are of equal length', () => {
  const rows = [score('2026-11-20', 6), score('2026-11-11', 2)];
  expect(trend(rows)[0]).toContain('2026-11-16 to 2026-11-20 and in the equal period before');
});

test('an engine that is new is compared with nothing', () => {
  const rows = [score('2026-11-20', 6, 'grok'), score('2026-11-19', 2)];
  expect(trend(rows)[0]).toContain('grok 6 of 10 (60.0 %), before 0 of 0');
});

test('a trend of one day or none says nothing', () => {
  expect(trend([score('2026-11-20', 6), score('2026-11-20', 1, 'grok')])).toEqual([]);
  expect(trend([])).toEqual([]);
});
