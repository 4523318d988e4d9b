import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDay, parseMoment } from './moment.ts';

test.each([
  ['2026-11-20T12:34:56.789Z', '2026-11-20T12:34:56.789Z'],
  ['2026-11-20T12:34:56Z', '2026-11-20T12:34:56.000Z'],
  ['2026-11-20 12:34:56.7899999+00', '2026-11-20T12:34:56.789Z'],
  ['2026-03-01T00:30:00+05:30', '2026-02-28T19:00:00.000Z'],
  ['2024-02-29T23:59:59.999999-1200', '2024-03-01T11:59:59.999Z'],
  ['0000-12-31T23:30:00-01:00', '0001-01-01T00:30:00.000Z'],
])('the moment %s is stored as %s', (text, moment) => {
  expect(parseMoment(text)).toBe(moment);
});

test.each([
  '2026-11-20T12:34:56',
  '2026-11-20',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T12:34:56+24:00',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '1763642096',
  '',
])('%j is no moment', (text) => {
  expect(parseMoment(text)).toBeUndefined();
});

test('one moment written in any time zone is parsed to the same UTC text', () => {
  const day = { min: new Date('0002-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z') };
  fc.assert(
    fc.property(
      fc.date({ ...day, noInvalidDate: true }),
      fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
        const zone = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
        expect(parseMoment(`${local}${offset < 0 ? '-' : '+'}${zone}`)).toBe(date.toISOString());
      },
    ),
  );
});

describe('a day', () => {
  test.each(['2026-11-20', '2024-02-29', '0001-01-01', '9999-12-31'])(
    '%s is read as a day',
    (text) => {
      expect(parseDay(text)).toBe(text);
    },
  );
  test.each(['2026-02-30', '2025-02-29', '0000-01-01', '20.11.2026'])(
    '%s is refused as a day',
    (text) => {
      expect(parseDay(text)).toBeUndefined();
    },
  );
});
