import { expect, test } from 'vitest';
import { kindOfPage, kindOfSite } from './source-kind.ts';
import { siteOf } from './site.ts';
import { hostOf } from './web-host.ts';

const siteOfUrl = (url: string) => siteOf(hostOf(url) ?? '');

test.each([
  ['review', 'https://www.g2.com/categories/crm'],
  ['list', 'https://www.techradar.com/best/best-crm-software'],
  ['list', 'https://nobody.example/blog/10-best-crm-tools', null],
  ['list', 'https://nobody.example/crm', 'Die besten CRM-Systeme im Vergleich'],
  ['news', 'https://www.forbes.com/sites/someone/2026/11/01/acme-raises'],
  ['reference', 'https://de.wikipedia.org/wiki/CRM'],
  ['forum', 'https://www.reddit.com/r/crm/comments/1/best_crm'],
  ['video', 'https://youtu.be/abc'],
  ['social', 'https://www.linkedin.com/pulse/best-crm'],
  ['shop', 'https://www.amazon.co.uk/dp/B000'],
  ['shop', 'https://nobody.example/products/best-seller-mug?variant=1'],
  ['authority', 'https://www.cdc.gov/flu/best-practices'],
  ['docs', 'https://github.com/acme/crm'],
  ['other', 'https://nobody.example/'],
])('the kind %s is recognised: %s %s', (kind, url, title: string | null = null) => {
  expect(kindOfPage({ url, site: siteOfUrl(url), title })).toBe(kind);
});

test('a site has the kind of most of its cited pages, unless it is on the list', () => {
  const page = (path: string, runs: number, site = 'nobody.example') => ({
    url: `https://${site}/${path}`,
    site,
    title: null,
    runs,
  });
  expect(kindOfSite('nobody.example', [page('products/a', 2), page('best-a', 1)])).toBe('shop');
  const tied = [page('products/a', 1), page('about', 1), page('best-a', 1)];
  expect(kindOfSite('nobody.example', tied)).toBe('list');
  expect(kindOfSite('nobody.example', tied.toReversed())).toBe('list');
  expect(kindOfSite('nobody.example', [page('about', 1)])).toBe('other');
  expect(kindOfSite('toolreviews.example', [])).toBe('review');
  expect(kindOfSite('forbes.com', [page('best-a', 9, 'forbes.com')])).toBe('news');
});
