import { expect, test } from 'vitest';
import { contentId, newId, promptId } from './uuid.ts';

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
  expect([...ids].toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 500 }, () => newId(() => now))).size).toBe(500);
});

test('a content id is a UUID v5 that stays the same for ever', () => {
  expect(contentId('prompt', ['a', 'en', 'en-US'])).toBe('e9c704c1-bddd-5d52-97be-ac955e65054b');
  expect(contentId('hit', [null, 200, true, 'é'])).toBe('0d6fc964-946a-567e-a2b8-d8f6010c07b0');
});

test('no two contents are run together into one id', () => {
  const contents = [
    ['a', 'bc'],
    ['ab', 'c'],
    ['abc'],
    ['a,b', 'c'],
    ['a', 'b', 'c'],
    ['a', '["b"]'],
    ['1'],
    [1],
    [null],
    ['null'],
    [true],
    [],
  ];
  const ids = contents.flatMap((parts) => [contentId('hit', parts), contentId('prompt', parts)]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a prompt's id does not depend on outer space or on how its accents are written", () => {
  const base = { language: 'fr', locale: 'fr-FR' };
  const id = promptId({ ...base, text: 'Quel CRM préférer ?' });
  expect(promptId({ ...base, text: ' Quel CRM pre\u0301fe\u0301rer ?\n' })).toBe(id);
  expect(promptId({ ...base, locale: 'fr-CA', text: 'Quel CRM préférer ?' })).not.toBe(id);
});
