import { expect, test } from 'vitest';
import { createDetector } from './detect.ts';

function subject(id: string, alias = id, match: 'default' | 'exact' = 'default') {
  return { id, type: 'competitor' as const, aliases: [{ alias, match }], domains: [] };
}

/** The named subjects in a text. */
function named(names: readonly string[], text: string, language: string): string[] {
  const { detections } = createDetector(names.map((name) => subject(name)))(text, [], language);
  return detections.filter(({ isCited }) => isCited).map(({ subjectId }) => subjectId);
}

test.each([
  ['fi', 'Samsung', 'Valitse Samsungin puhelin'],
  ['fi', 'IKEA', 'Osta se Ikeasta'],
  ['fi', 'Neste', 'Nesteen asemalla'],
  ['hu', 'Samsung', 'A Samsunggal jól jársz'],
  ['hu', 'Erste', 'az Ersténél'],
  ['pl', 'Biedronka', 'Kup to w Biedronce.'],
  ['pl', 'InPost', 'w InPoście'],
  ['pl', 'Poczta Polska', 'na Poczcie Polskiej'],
  ['pl', 'Google', "od Google'a i Google'em"],
  ['cs', 'Alza', 'na Alze'],
  ['cs', 'Česká spořitelna', 'u České spořitelny'],
  ['cs', 'Škoda', 'vozy Škody, **Škodu**'],
  ['ru', 'Яндекс', 'в Яндексе'],
  ['ru', 'Альфа-Банк', 'в Альфа-Банке'],
  ['ru', 'Детский мир', 'в Детском мире'],
  ['tr', 'Trendyol', 'Trendyolda ve'],
  ['ko', '쿠팡', '쿠팡에서는'],
])('in the language %s, %s is named in "%s"', (language, name, text) => {
  expect(named([name], text, language)).toEqual([name]);
});

test.each([
  ['in another language', 'en', ['Samsung'], 'Samsungin'],
  ['without its capital', 'fi', ['Samsung'], 'samsungin'],
  ['of three letters', 'fi', ['Oda'], 'Odan'],
  ['that is spelt out', 'fi', ['HSBC'], 'HSBCin'],
  ['with other letters behind it', 'pl', ['Biedronka'], 'Biedronkowy Biedronkarz'],
  ['behind an initial', 'cs', ['T-fal'], 'Tefal, Te-fal'],
  ['with another accent', 'cs', ['Nova'], 'Nový telefon'],
  ['that is an everyday word', 'hu', ['Audi'], 'Audit'],
])('a name with an ending %s is another word', (_, language, names, text) => {
  expect(named(names, text, language)).toEqual([]);
});

test('a form that is itself a tracked name, or its first word, is no form of a shorter name', () => {
  expect(named(['Nokia', 'Nokian'], 'Nokian renkaat, Nokiaa', 'fi')).toEqual(['Nokia', 'Nokian']);
  expect(named(['Nokia', 'Nokian'], 'Nokian renkaat', 'fi')).toEqual(['Nokian']);
  expect(named(['Nokia', 'Nokian Tyres'], 'Nokian renkaat', 'fi')).toEqual([]);
  expect(named(['Nokia', 'Nokian Tyres'], 'Nokian Tyres', 'fi')).toEqual(['Nokian Tyres']);
  expect(named(['Rolfa', 'Rolf'], 'o Rolfie, z Rolfem', 'pl')).toEqual(['Rolf']);
  expect(named(['Rolfa', 'Rolf'], 'o Rolfie', 'pl')).toEqual([]);
});

test('an exact name takes endings, and keeps its case', () => {
  const detect = createDetector([subject('gap', 'Target', 'exact')]);
  const isCited = (text: string) => detect(text, [], 'fi').detections[0]?.isCited;
  expect(['Targetin', 'TARGETin', 'TargetIN'].map(isCited)).toEqual([true, false, false]);
});
