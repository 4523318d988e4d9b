import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { readRequestLine } from './raw-line.ts';

const target = fc.string({
  minLength: 1,
  maxLength: 12,
  unit: fc.constantFrom(
    '/',
    'a',
    '?',
    ' ',
    '\t',
    '\r',
    '\u2028',
    'HTTP/1.1',
    ' HTTP/1.',
    '*',
    'http://a.example',
  ),
});

test('the number of spaces after the method does not change a request', () => {
  fc.assert(
    fc.property(
      target,
      fc.constantFrom('', ' HTTP/1.1', ' HTTP/2', ' HTTP/x'),
      (asked, version) => {
        const usual = readRequestLine(`GET ${asked}${version}`);
        expect(usual).toEqual(readRequestLine(`GET  ${asked}${version}`));
      },
    ),
    { numRuns: cases(5000) },
  );
});

test.each(['HTTP/1.1', 'HTTP/x'])('a method has 32 letters at most before %s', (version) => {
  expect(readRequestLine(`${'G'.repeat(32)} / ${version}`)?.method).toBe('G'.repeat(32));
  expect(readRequestLine(`${'G'.repeat(33)} / ${version}`)).toBeUndefined();
});
