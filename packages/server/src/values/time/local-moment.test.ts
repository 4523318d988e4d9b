import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { guessDateOrder, isTimeZone, parseLocalMoment, yearFirst } from './local-moment.ts';

const moment = (at: string, isAmbiguous = false) => ({ moment: at, isAmbiguous });

test.each([
  ['2026-11-18 09:30', 'UTC', moment('2026-11-18T09:30:00.000Z')],
  ['2026-11-18 09:30', 'Europe/Berlin', moment('2026-11-18T08:30:00.000Z')],
  ['2026-07-18T09:30:15.5', 'Europe/Berlin', moment('2026-07-18T07:30:15.500Z')],
  ['2026-11-18 09:30', 'Pacific/Kiritimati', moment('2026-11-17T19:30:00.000Z')],
  ['2026-11-18 09:30', '+02:00', moment('2026-11-18T07:30:00.000Z')],
  // The clocks go back at 03:00: 02:30 comes twice, first in summer time.
  ['2026-10-25 02:30', 'Europe/Berlin', moment('2026-10-25T00:30:00.000Z', true)],
  ['2026-10-25 03:00', 'Europe/Berlin', moment('2026-10-25T02:00:00.000Z')],
  // The clocks go forward from 02:00 to 03:00.
  ['2026-03-29 02:30', 'Europe/Berlin', 'skipped'],
  ['2026-03-29 03:00', 'Europe/Berlin', moment('2026-03-29T01:00:00.000Z')],
  // Samoa left out a whole day.
  ['2011-12-30 12:00', 'Pacific/Apia', 'skipped'],
  // A day alone is the UTC day that figures are counted by.
  ['2026-11-18', 'Pacific/Kiritimati', moment('2026-11-18T00:00:00.000Z')],
])('%s in %s is one moment, by the rules for changing clocks', (text, zone, expected) => {
  expect(parseLocalMoment(text, zone)).toEqual(expected);
});

test.each([
  '2026-11-18 09:30Z',
  '2026-11-18 09:30 +01:00',
  '18.11.2026',
  '2026-02-30 10:00',
  '2026-11-18 24:00',
  '',
])('%j is no local time', (text) => {
  expect(parseLocalMoment(text, 'Asia/Tokyo')).toBeUndefined();
});

test('a moment that a zone shows is read back as itself, or as the earlier of two', () => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'];
  const min = new Date('1975-01-01T00:00:00Z');
  const date = fc.date({ min, max: new Date('2036-01-01T00:00:00Z'), noInvalidDate: true });
  const property = fc.property(date, fc.constantFrom(...zones), (at, timeZone) => {
    const options = { timeZone, dateStyle: 'short', timeStyle: 'medium' } as const;
    const wall = new Intl.DateTimeFormat('sv-SE', options).format(at);
    const read = parseLocalMoment(wall, timeZone);
    if (read === undefined || read === 'skipped') throw new Error(`${wall} was not read`);
    const cut = Math.floor(at.getTime() / 1000) * 1000;
    const early = cut - Date.parse(read.moment);
    expect(read.isAmbiguous ? early >= 0 && early <= 7_200_000 : early === 0).toBe(true);
  });
  fc.assert(property, { numRuns: cases(500) });
});

test('a time zone is one that Node knows', () => {
  expect(['Europe/Berlin', 'utc', '+02:00'].every(isTimeZone)).toBe(true);
  expect(['Europe/Atlantis', '', 'CET+1', 'local'].some(isTimeZone)).toBe(false);
});

test.each([
  ['20.11.2026 09:14', 'day_first', '2026-11-20 09:14:00'],
  ['1/2/2026', 'day_first', '2026-02-01'],
  ['11/20/2026, 9:14:05 PM', 'month_first', '2026-11-20 21:14:05'],
  ['11/20/2026 12:00 AM', 'month_first', '2026-11-20 00:00:00'],
  ['yesterday', 'day_first', 'yesterday'],
] as const)('the date %s with the %s is %s', (text, order, expected) => {
  expect(yearFirst(text, order)).toBe(expected);
});

test.each([
  ['11/20/2026 13:00 PM', 'month_first'],
  ['20.11.2026', 'month_first'],
] as const)('%s with the %s is no time', (text, order) => {
  expect(parseLocalMoment(yearFirst(text, order), 'UTC')).toBeUndefined();
});

test.each([
  [['3/4/2026', '3/13/2026'], 'month_first'],
  [['3/4/2026', '13/3/2026'], 'day_first'],
  [['3/4/2026'], 'month_first'],
  [['2026-11-20', ''], undefined],
] as const)('the dates %j have the order %s', (texts, expected) => {
  expect(guessDateOrder(texts)).toBe(expected);
});
