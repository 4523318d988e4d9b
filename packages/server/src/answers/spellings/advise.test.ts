import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDetector } from '../detection/detect.ts';
import { adviseWords } from './advise.ts';

function general(name: string, languages: readonly string[] = []): readonly string[] {
  const { spellings } = adviseWords(
    { aliases: [{ alias: name, match: 'default' }] },
    { languages },
  );
  return spellings.find(({ language }) => language === null)?.spellings ?? [];
}

function inflected(name: string, language: string): readonly string[] {
  const aliases = [{ alias: name, match: 'default' as const }];
  const { spellings } = adviseWords({ aliases }, { languages: [`${language}-XX`] });
  return spellings.find((group) => group.language === language)?.spellings ?? [];
}

test.each([
  ["McDonald's", ['McDonalds']],
  ["Ben & Jerry's", ["Ben and Jerry's", 'Ben and Jerrys']],
  ['Dr. Oetker', ['Dr Oetker']],
  ['J.P. Morgan', ['JP Morgan', 'J. P. Morgan']],
  ['Disney+', ['Disney Plus']],
  ['E*TRADE', ['ETRADE', 'E-TRADE']],
  ['Müller', ['Mueller']],
  ['The North Face', ['North Face']],
  ['Globex GmbH', ['Globex']],
])('for %s, spellings such as %j are suggested', (name, wanted) => {
  expect(general(name)).toEqual(expect.arrayContaining(wanted));
});

test.each(['Nestlé', 'Coca-Cola', 'MacBook', 'iPhone', 'eBay', 'Node.js', 'Volkswagen', '华为'])(
  'for %s, whose other spellings are found anyway, none is suggested',
  (name) => {
    expect(general(name)).toEqual([]);
  },
);

test.each([
  ['Bolt', 'et', ['Bolti', 'Boltis', 'Boltile']],
  ['Розетка', 'uk', ['Розетки', 'Розетку', 'Розеткою']],
])('the name %s in the language %s is suggested as %j', (name, language, wanted) => {
  expect(inflected(name, language)).toEqual(expect.arrayContaining(wanted));
});

test.each(['Target', 'The Gap', 'Boots', '苹果', 'Made In'])(
  '%s gets a warning, because it is found where the ordinary word is meant',
  (alias) => {
    expect(adviseWords({ aliases: [{ alias, match: 'default' }] }).ambiguous).toEqual([alias]);
    const exact = adviseWords({ aliases: [{ alias, match: 'exact' }] });
    expect(exact.ambiguous).toEqual([]);
  },
);

test('a domain on which many people have pages gets a warning', () => {
  const domains = ['acme.com', 'github.com'];
  expect(adviseWords({ aliases: [], domains }).sharedDomains).toEqual(['github.com']);
});

test('a domain under which anybody may register gets a warning', () => {
  const domains = ['acme.com', 'co.uk', 'github.io', 'acme.github.io'];
  expect(adviseWords({ aliases: [], domains }).publicSuffixes).toEqual(['co.uk', 'github.io']);
});

test('whatever the name, nothing is suggested that is found already, nor anything twice', () => {
  const sign = fc.constantFrom(
    '&',
    '.',
    "'",
    '+',
    ' ',
    '-',
    '!',
    '/',
    'Inc.',
    'The ',
    'é',
    'ö',
    'a',
  );
  const name = fc
    .array(fc.oneof(sign, fc.string({ maxLength: 4 }), fc.constantFrom('Acme', 'Labs', 'Лада')), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join('').trim())
    .filter((text) => text !== '');
  const languages = ['fi', 'ru', 'pl', 'cs', 'hu', 'sk', 'et', 'lt', 'lv', 'uk', 'hr', 'de'];
  fc.assert(
    fc.property(name, (alias) => {
      const aliases = [{ alias, match: 'default' as const }];
      const detect = createDetector([{ id: 'a', type: 'brand', aliases, domains: [] }]);
      const all = adviseWords({ aliases }, { languages }).spellings.flatMap((group) =>
        group.spellings.map((spelling) => ({ spelling, language: group.language ?? undefined })),
      );
      expect(new Set(all.map(({ spelling }) => spelling)).size).toBe(all.length);
      for (const { spelling, language } of all) {
        expect(spelling).toBe(spelling.trim());
        expect(detect(spelling, [], language).detections[0]?.isCited).toBe(false);
      }
    }),
  );
});
