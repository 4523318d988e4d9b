import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldEmail, parseEmail } from './email.ts';
import { parseName } from './name.ts';
import { accesses, allows, isRole } from './roles.ts';

test.each(['ada@example.com', ' Ada@Example.com ', 'ada+x@sub.example', 'ädä@exämple.com'])(
  '%j is taken as an address',
  (text) => {
    expect(parseEmail(text)).toBe(text.trim());
  },
);

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'a@b@c',
  'a b@c',
  'a\n@b',
  'a@b\u202e',
  `${'a'.repeat(251)}@b.c`,
])('%j is not taken as an address', (text) => {
  expect(parseEmail(text)).toBeUndefined();
});

test('an address that was folded folds to itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(foldEmail(foldEmail(text))).toBe(foldEmail(text));
    }),
  );
});

test('a name is one line without characters that act, and neither empty nor endless', () => {
  expect(parseName('  Ada\n\u202eExample ')).toBe('Ada \ufffdExample');
  expect(parseName(' \t ')).toBeUndefined();
  expect(parseName('a'.repeat(101))).toBeUndefined();
});

test('each kind of access allows what those before it allow, and nothing more', () => {
  expect(accesses).toEqual(['anyone', 'user', 'viewer', 'editor', 'admin', 'operator']);
  for (const [place, role] of accesses.entries()) {
    expect(accesses.filter((needed) => allows(role, needed))).toEqual(accesses.slice(0, place + 1));
  }
  expect(['viewer', 'editor', 'admin', 'operator', 'user', ''].filter(isRole)).toEqual([
    'viewer',
    'editor',
    'admin',
  ]);
});
