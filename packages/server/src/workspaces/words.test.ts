import { assert, domain, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint, webAddress } from '../../../../test/any-text.ts';
import { isRefusal } from '../refusals.ts';
import { cleanText, fold, parseAlias, parseDomain, parseSubjectWords } from './words.ts';
import { parseSlug } from './workspaces.ts';

describe('a domain', () => {
  test.each([
    ['acme.com', 'acme.com'],
    ['  ACME.Com. ', 'acme.com'],
    ['www.acme.com', 'acme.com'],
    ['https://www.acme.com/pricing?x=1#y', 'acme.com'],
    ['http://shop.acme.co.uk', 'shop.acme.co.uk'],
    ['acme.com/about', 'acme.com'],
    ['acme.com:443', 'acme.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['www.com', 'www.com'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ])('%j is stored as %s', (given, stored) => {
    expect(parseDomain(given)).toBe(stored);
    expect(parseDomain(stored)).toBe(stored);
  });

  test.each([
    '',
    'acme',
    'localhost',
    '127.0.0.1',
    '2130706433',
    'https://[2001:db8::1]/',
    'acme.com:8080',
    'info@acme.com',
    'javascript:alert(1)',
    '*.acme.com',
    'acme..com',
    `${'abcdefg.'.repeat(40)}com`,
    'ac\nme.com',
    'acme.com\0',
  ])('%j is refused as wrong usage', (given) => {
    expect(() => parseDomain(given)).toThrow(expect.objectContaining({ name: 'Refusal' }));
  });

  test('whatever is given, a stored domain is a host name, and parses to itself', () => {
    assert(
      property(oneof(webAddress, domain(), string({ unit: codePoint })), (given) => {
        const stored = domainOrUndefined(given);
        if (stored === undefined) return;
        expect(stored).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]+$/);
        expect(parseDomain(stored)).toBe(stored.replace(/^www\.(?=[^.]+\.)/, ''));
      }),
    );
  });
});

describe('text', () => {
  test.each(['', '\u{3000}', 'a\nb', 'a\0', '\u001b[31mred', '\ud800'])(
    '%j is refused as a name',
    (given) => {
      expect(() => cleanText(given, { field: 'name', lengthMax: 20 })).toThrow(
        expect.objectContaining({ name: 'Refusal' }),
      );
    },
  );

  test('stored text is trimmed, has single spaces, is composed, and is measured in characters', () => {
    expect(clean('  Ac \u{3000} me ')).toBe('Ac me');
    expect(clean('e\u0301')).toBe('\u00e9');
    expect(clean('👩👩👩👩👩')).toBe('👩👩👩👩👩');
    expect(() => clean('👩👩👩👩👩👩')).toThrow('text_too_long');
  });

  test('texts that look the same fold to the same, and folding twice is folding once', () => {
    expect(fold(' ＡＣＭＥ　Inc ')).toBe(fold('acme inc'));
    expect(['ΟΔΟΣ', 'οδος', 'οδοσ', 'οδοϲ', 'ΟΔΟϹ'].map(fold)).toEqual(Array(5).fill('οδοσ'));
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
        expect(fold(text.toUpperCase().toLowerCase())).toBe(fold(text.toUpperCase()));
      }),
    );
  });
});

test.each(['', 'Acme', 'a'.repeat(64), 'a\n', '..', 'a/b'])('%j is no slug', (slug) => {
  expect(() => parseSlug(slug)).toThrow('slug_malformed');
});

describe('an alias pattern', () => {
  test.each(['(', '(?=a)b', String.raw`(a)\1`, 'a*', '^', 'a'.repeat(501)])(
    '%j is refused: it does not compile, or matches nothing',
    (alias) => {
      expect(() => parseAlias({ alias, match: 'pattern' })).toThrow(
        expect.objectContaining({ name: 'Refusal' }),
      );
    },
  );

  test.each([
    String.raw`\bacme\b`,
    'Ac(me|ne)',
    String.raw`\p{Lu}CME`,
    '(?i)globex',
    '(?P<name>acme)',
  ])('%j is accepted, as RE2 accepts it', (alias) => {
    expect(parseAlias({ alias, match: 'pattern' })).toEqual({ alias, match: 'pattern' });
  });
});

describe("a subject's words", () => {
  test('an alias that repeats the name or another is dropped', () => {
    const words = parseSubjectWords({
      name: 'Acme',
      aliases: [
        { alias: 'ACME', match: 'default' },
        { alias: 'Acme Inc', match: 'default' },
        { alias: 'acme  inc', match: 'default' },
      ],
      domains: ['acme.com', 'www.acme.com'],
    });
    expect(words.aliases.map(({ alias }) => alias)).toEqual(['Acme', 'Acme Inc']);
    expect(words.domains).toEqual(['acme.com']);
  });

  test('an exact alias that repeats the name makes the name exact', () => {
    const { aliases } = parseSubjectWords({
      name: 'Apple',
      aliases: [{ alias: 'Apple', match: 'exact' }],
    });
    expect(aliases).toEqual([{ alias: 'Apple', match: 'exact', folded: 'apple' }]);
  });

  test('the same alias in two kinds is refused', () => {
    expect(() =>
      parseSubjectWords({
        name: 'Acme',
        aliases: [
          { alias: 'Apex', match: 'default' },
          { alias: 'APEX', match: 'exact' },
        ],
      }),
    ).toThrow('aliases_contradict');
  });

  test('more than 200 aliases are refused', () => {
    const aliases = Array.from({ length: 200 }, (_, index) => ({
      alias: `a${index}`,
      match: 'default' as const,
    }));
    expect(() => parseSubjectWords({ name: 'Acme', aliases })).toThrow('subject_words_too_many');
  });
});

function clean(text: string): string {
  return cleanText(text, { field: 'name', lengthMax: 5 });
}

function domainOrUndefined(text: string): string | undefined {
  try {
    return parseDomain(text);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
