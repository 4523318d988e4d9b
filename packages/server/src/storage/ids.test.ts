import { expect, test } from 'vitest';
import { newId } from './ids.ts';

const version7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a new id is a lower-case UUID v7 that begins with the clock', () => {
  const now = Date.parse('2026-11-20T12:34:56.789Z');
  const id = newId(() => now);
  expect(id).toMatch(version7);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
});

test('ids sort by the time of their making, and those of one moment differ', () => {
  let now = 1_700_000_000_000;
  const ids = Array.from({ length: 200 }, () => newId(() => now++));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(Array.from({ length: 500 }, () => newId(() => now))).size).toBe(500);
});
