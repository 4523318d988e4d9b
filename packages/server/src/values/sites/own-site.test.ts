import { expect, test } from 'vitest';
import { createOwnSites } from './own-site.ts';

const ownSiteOf = createOwnSites(['acme.com', 'shop.acme.com', 'github.io', 'bücher.example']);

test('a host belongs to the longest own site above it', () => {
  expect(ownSiteOf('acme.com')).toBe('acme.com');
  expect(ownSiteOf('www.acme.com')).toBe('acme.com');
  expect(ownSiteOf('a.shop.acme.com')).toBe('shop.acme.com');
  expect(ownSiteOf('xn--bcher-kva.example')).toBe('bücher.example');
});

test('a host of someone else, and none, belongs to no own site', () => {
  expect(ownSiteOf('notacme.com')).toBeUndefined();
  expect(ownSiteOf('com')).toBeUndefined();
  expect(ownSiteOf('192.0.2.7')).toBeUndefined();
  expect(ownSiteOf('[2001:db8::1]')).toBeUndefined();
  expect(ownSiteOf('octocat.github.io')).toBeUndefined();
  expect(ownSiteOf(null)).toBeUndefined();
});
