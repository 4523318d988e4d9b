import { expect, test } from 'vitest';
import { nextMoment } from './message-times.ts';
import { parseRecipient, shownAddress } from './recipients.ts';

test.each([
  // The clock skips 23:00 on the Saturday after, so the one of a week later is the next.
  ['America/Nuuk', 6, 23, '2026-03-22T01:00:00Z', '2026-04-05T00:00:00Z'],
  ['UTC', 1, 8, '2026-11-23T07:59:59Z', '2026-11-23T08:00:00Z'],
  ['UTC', 1, 8, '2026-11-23T08:00:00Z', '2026-11-30T08:00:00Z'],
  ['America/New_York', 7, 0, '2026-11-21T04:00:00Z', '2026-11-22T05:00:00Z'],
  // The clock skips from 2:00 to 3:00 on this Sunday.
  ['Europe/Berlin', 7, 2, '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
  // 2:00 comes twice on this Sunday: the first one counts.
  ['Europe/Berlin', 7, 2, '2026-10-24T12:00:00Z', '2026-10-25T00:00:00Z'],
  // Half an hour and three quarters beside the hours of UTC.
  ['Asia/Kolkata', 1, 8, '2026-11-22T12:00:00Z', '2026-11-23T02:30:00Z'],
  ['Asia/Kathmandu', 1, 8, '2026-11-22T12:00:00Z', '2026-11-23T02:15:00Z'],
  ['Pacific/Kiritimati', 1, 0, '2026-11-22T09:59:00Z', '2026-11-22T10:00:00Z'],
])('in %s, weekday %i at %i, the next time after %s is %s', (zone, weekday, hour, now, due) => {
  const { atMs, date } = nextMoment({ weekday, hour, zone }, Date.parse(now));
  expect(new Date(atMs).toISOString()).toBe(due.replace('Z', '.000Z'));
  expect((new Date(date).getUTCDay() + 6) % 7).toBe(weekday - 1);
});

test.each([
  '',
  'example.com',
  'ftp://example.com/',
  'https://a:b@example.com/',
  'javascript:0',
  'a@localhost',
  'a,b@example.com',
  'a@example.com, b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  '<a@example.com>',
])('the address %j is none of a webhook or mail', (address) =>
  expect(parseRecipient(address)).toBeUndefined(),
);

test('a page shows the host of an address and its end, because the rest may be a secret', () => {
  expect(shownAddress('https://hooks.example.com/services/T0/B0/secret123')).toBe(
    'hooks.example.com/...t123',
  );
});
