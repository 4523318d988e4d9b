import { expect, test } from 'vitest';
import { addressWords } from './address-verdicts.ts';

const none = { verified: 0, refuted: 0, shared: 0, networks: 0 };

test('nothing is said where most are verified, or nothing is decided', () => {
  expect(addressWords(none)).toBeUndefined();
  expect(addressWords({ ...none, verified: 10, refuted: 5, shared: 5 })).toBeUndefined();
});

test('many networks that no visitor shares are forgeries, and few may be a service', () => {
  expect(addressWords({ ...none, refuted: 400, networks: 380 })).toEqual({
    sentence: '0 of 400 verified: 400 refuted from 380 networks that no visitor shares: forgeries.',
    isProxy: false,
  });
  expect(addressWords({ ...none, refuted: 40, networks: 1 })?.sentence).toBe(
    '0 of 40 verified: 40 refuted from 1 network that no visitor shares: forgeries, or a service that renders pages for bots.',
  );
});

test('more networks than are counted are more than the bound', () => {
  const flood = { ...none, verified: 6, refuted: 100_000, networks: 10_000 };
  expect(addressWords(flood)?.sentence).toBe(
    '6 of 100,006 verified: 100,000 refuted from more than 10,000 networks that no visitor shares: forgeries.',
  );
});
