import { expect, test } from 'vitest';
import { parseSources } from './parse-sources.ts';

function urlsOf(value: unknown): string[] {
  const refused: string[] = [];
  const urls = parseSources(value, (expected) => refused.push(expected)).map(({ url }) => url);
  expect(refused).toEqual([]);
  return urls;
}

test.each([
  ['https://a.com/x,https://b.com/y', ['https://a.com/x', 'https://b.com/y']],
  ['https://a.com, https://b.com', ['https://a.com', 'https://b.com']],
  [
    'https://a.com;https://b.com ; https://c.com',
    ['https://a.com', 'https://b.com', 'https://c.com'],
  ],
  ['<https://a.com> "https://b.com"', ['https://a.com', 'https://b.com']],
  ['https://a.comhttps://b.com', ['https://a.com', 'https://b.com']],
  [
    'https://a.com/1 | https://b.com/2\nhttps://c.com/3',
    ['https://a.com/1', 'https://b.com/2', 'https://c.com/3'],
  ],
  ['a.com,b.com/x,c.com', ['a.com', 'b.com/x', 'c.com']],
  ['', []],
])('addresses in one text are taken apart: %s', (text, urls) => {
  expect(urlsOf(text)).toEqual(urls);
});

test('a list may hold several addresses in one text, and blanks around them', () => {
  const list = [' https://a.com/x, https://b.com ', '<https://c.com>', { url: ' https://d.com\n' }];
  expect(urlsOf(list)).toEqual([
    'https://a.com/x',
    'https://b.com',
    'https://c.com',
    'https://d.com',
  ]);
});

test.each([
  'https://a.com/x,y,z/1',
  'https://a.com/?q=1,2;3',
  'https://a.com/wiki/Foo_(bar)',
  'https://youtu.be/abc_',
  'https://web.archive.org/web/2024/https://b.com/x',
  'https://www.google.com/url?q=https://b.com/x,y',
  'https://a.com/?u=%2Fhttps://b.com',
  'a.com/x,y',
])('one address stays whole, with its commas: %s', (url) => {
  expect(urlsOf(url)).toEqual([url]);
  expect(urlsOf(`${url}, ${url}`)).toEqual([url, url]);
  expect(urlsOf([url])).toEqual([url]);
});

test('a hostile text is taken or refused in the time of its length', () => {
  for (const unit of [',', ' ', 'a.b,', 'https://a.b,', '>']) {
    const long = `x${unit.repeat(600_000 / unit.length)}x`;
    for (const value of [long, [long]]) {
      const refused: string[] = [];
      const sources = parseSources(value, (expected) => refused.push(expected));
      expect(sources.length > 0).toBe(refused.length === 0);
    }
  }
});
