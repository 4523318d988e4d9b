import { expect, test } from 'vitest';
import { changeCell, rateCell } from '../markup/figures.ts';
import type { ChangeFigure, RateFigure } from '../markup/figures.ts';
import { table } from './table.ts';

const row: RateFigure & ChangeFigure = {
  runs: 1204,
  rate: 0.5,
  rate_low: 0.4,
  rate_high: 0.6,
  rate_change: 0.1,
  rate_verdict: 'up',
  sov_change: null,
  sov_verdict: 'too_few',
};
const columns = [
  { title: 'Appears in', cell: rateCell },
  { title: 'Change', cell: (each: ChangeFigure) => changeCell(each, 'rate') },
];

function shown(each: Partial<typeof row>): string {
  return table({ caption: 'Rates', columns, empty: '' }, [{ ...row, ...each }]).text.replaceAll(
    /\s+/g,
    ' ',
  );
}

test('a table says once of how many answers its figures are, or between which numbers', () => {
  expect(shown({})).toContain('data-sample="1204 1204">of 1,204 answers</span>');
  expect(shown({}).match(/1,204/g)).toHaveLength(1);
  expect(shown({})).not.toContain('A dash');
  const { text } = table({ columns, empty: '' }, [row, { ...row, runs: 12 }]);
  expect(text).toContain('data-sample="12 1204">of 12 to 1,204 answers each</span>');
});

test('a dash stands for what too few prompts allow, and the table says so once', () => {
  const few = shown({ rate_verdict: 'too_few' });
  expect(few.match(/A dash: too few prompts/g)).toHaveLength(1);
  expect(few).toContain('too-few">\u2013</span>');
  expect(few).toContain('data-n="1204"');
});
