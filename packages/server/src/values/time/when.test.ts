import { expect, test } from 'vitest';
import { parseWhen } from './when.ts';

const nowMs = Date.parse('2026-11-20T12:00:00.000Z');

test.each([
  ['2026-11-18', '2026-11-18T00:00:00.000Z'],
  ['2026-11-18T09:30:00+02:00', '2026-11-18T07:30:00.000Z'],
  ['12h', '2026-11-20T00:00:00.000Z'],
  ['1y', '2025-11-20T12:00:00.000Z'],
])('%s, looking back, is %s', (text, moment) => {
  expect(parseWhen(text, { nowMs, spans: 'ago' })).toBe(Date.parse(moment));
});

test('a span that looks ahead is added to now', () => {
  expect(parseWhen('90d', { nowMs, spans: 'ahead' })).toBe(nowMs + 90 * 86_400_000);
});

test.each(['', 'yesterday', '2026-02-30', '2026-11-18T09:30', '18.11.2026'])(
  'the text %j is refused as a point in time',
  (text) => {
    expect(parseWhen(text, { nowMs, spans: 'ago' })).toBeUndefined();
  },
);
