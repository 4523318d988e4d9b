import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '@overheard/contract';
import { countTokens } from '../test/count-tokens.ts';
import { estimateTokens } from './tokens.ts';

test("a row of each endpoint's examples is never estimated below what it costs", () => {
  for (const { name, row } of endpoints) {
    const example = Object.entries(row.shape).map(([field, schema]) => [
      field,
      schema.meta()?.examples?.[0] ?? null,
    ]);
    const text = JSON.stringify(Object.fromEntries(example));
    const actual = countTokens(text);
    expect(estimateTokens(text), name).toBeGreaterThanOrEqual(actual);
    expect(estimateTokens(text), name).toBeLessThan(actual * 1.5);
  }
});

test.each([
  ['Japanese', '小規模な代理店に適した顧客管理システムはどれですか'],
  ['Thai', 'ซอฟต์แวร์ใดเหมาะกับธุรกิจขนาดเล็กในประเทศไทยที่สุด'],
  ['German', 'Welche Kundenbeziehungsverwaltungssoftware eignet sich für kleine Agenturen?'],
  ['Arabic', 'ما هو أفضل برنامج لإدارة علاقات العملاء للوكالات الصغيرة؟'],
  ['pictures', '🎉👨‍👩‍👧‍👦🇩🇪'],
  ['marks', '!#$%&()*+,-./:;<=>?@[]^_{|}~'],
])('%s is not estimated below what it costs', (_name, text) => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text));
});

test('hashes and other noise are estimated at four fifths of what they cost or more', () => {
  const digits = fc.constantFrom(
    ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  );
  const noise = fc.array(digits, { minLength: 40, maxLength: 400 }).map((list) => list.join(''));
  fc.assert(fc.property(noise, (text) => estimateTokens(text) >= countTokens(text) * 0.8));
});
