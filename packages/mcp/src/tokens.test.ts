import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endpoints } from '@overheard/contract';
import { countTokens } from '../test/count-tokens.ts';
import { noise } from '../test/noise.ts';
import { promptRows, rowsOfAllKinds } from '../test/rows.ts';
import { tokenData } from '../test/token-data.ts';
import { tokensMax } from './tokens.ts';

test('the merges and the costs of pieces are those of the tokenizer', async () => {
  const data = `${JSON.stringify(tokenData(), undefined, 2)}\n`;
  await expect(data).toMatchFileSnapshot('./token-data.json');
});

test('each number of up to three digits is one token', () => {
  for (const length of [1, 2, 3]) {
    for (let number = 0; number < 10 ** length; number++) {
      expect(countTokens(String(number).padStart(length, '0'))).toBe(1);
    }
  }
});

test('no text costs more than is said', () => {
  fc.assert(
    fc.property(noise, (text) => {
      expect(tokensMax(text)).toBeGreaterThanOrEqual(countTokens(text));
    }),
    { numRuns: 1500 },
  );
});

test('no row costs more than is said, with its line feed and whatever comes next', () => {
  fc.assert(
    fc.property(noise, noise, (path, name) => {
      const row = (text: string) => `${JSON.stringify({ path: text, bot_name: name })},\n`;
      const [first, second] = [row(path), row(name)];
      const said = tokensMax(first) + tokensMax(second);
      expect(said).toBeGreaterThanOrEqual(countTokens(first + second));
    }),
    { numRuns: 300 },
  );
});

test('usual rows cost hardly less than is said: pages are not cut for nothing', () => {
  const kinds = rowsOfAllKinds();
  for (const { name } of endpoints) {
    const text = kinds[name].map((row) => `${JSON.stringify(row)},\n`).join('');
    expect(tokensMax(text) / countTokens(text), name).toBeLessThan(1.25);
  }
});

test.each([
  ['German', 'Welches Programm zur Kundenverwaltung eignet sich für kleine Werbeagenturen?'],
  ['Japanese', '小規模な代理店に適した顧客管理システムはどれですか。月額料金はいくらですか。'],
  ['Chinese', '哪种客户关系管理软件最适合小型营销机构？每月费用是多少？'],
  ['Arabic', 'ما هو أفضل برنامج لإدارة علاقات العملاء للوكالات الصغيرة؟'],
  ['Thai', 'ซอฟต์แวร์ใดเหมาะกับธุรกิจขนาดเล็กในประเทศไทยที่สุด'],
  ['Korean', '소규모 대행사에 가장 적합한 고객 관리 소프트웨어는 무엇입니까?'],
])('rows with %s in them fill more than 60 %% of what they may cost', (_name, question) => {
  const rows = promptRows(20).map((row) => JSON.stringify({ ...row, text: question }));
  const text = rows.join(',\n');
  expect(countTokens(text) / tokensMax(text)).toBeGreaterThan(0.6);
});
