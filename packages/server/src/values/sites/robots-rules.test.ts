import { expect, test } from 'vitest';
import { parseRobots } from './robots-rules.ts';

function judge(file: string, path: string, ...tokens: string[]): string {
  return parseRobots(file).judge(tokens.length > 0 ? tokens : ['GPTBot'], path);
}

// What Google documents of its own matching, and RFC 9309, each written again here.
test.each([
  ['/', '/fish', 'disallowed'],
  ['/fish', '/fishheads/yummy.html?id=1', 'disallowed'],
  ['/fish', '/Fish.asp', 'allowed'],
  ['/fish', '/desert/fish', 'allowed'],
  ['/fish/', '/fish/?salmon', 'disallowed'],
  ['/fish/', '/fish', 'allowed'],
  ['/*.php', '/folder/any.php.file.html?a', 'disallowed'],
  ['/*.php$', '/folder/filename.php', 'unclear'],
  ['/*.php$', '/filename.php?parameters', 'allowed'],
  ['/fish*.php', '/fishheads/catfish.php?parameters', 'disallowed'],
  ['/*?', '/page?a', 'disallowed'],
  ['/*?', '/page', 'unclear'],
  ['/search?q=', '/search', 'unclear'],
  ['/*sort=', '/page', 'unclear'],
  ['/shop/*sort=', '/about', 'allowed'],
  ['/*&page=', '/page?a&page=2', 'disallowed'],
  ['/a$b', '/a$b?', 'disallowed'],
  ['/a%3cd', '/a%3Cd?', 'disallowed'],
  ['/%62%61z', '/baz?', 'disallowed'],
  ['/ツ', '/%E3%83%84', 'disallowed'],
  ['/file-with-a-%2A.html', '/file-with-a-*.html?', 'disallowed'],
  ['fish', '/fish', 'allowed'],
])('a rule "Disallow: %s" judges %s as %s', (pattern, path, permission) => {
  expect(judge(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(permission);
});

test.each([
  ['Allow: /p\nDisallow: /', '/page', 'allowed'],
  ['Disallow: /*.htm\nAllow: /page', '/page.htm?', 'disallowed'],
  ['Allow: /$\nDisallow: /', '/', 'unclear'],
  ['Allow: /page\nDisallow: /*?', '/page', 'allowed'],
  ['Disallow:', '/page', 'allowed'],
  ['Disallow: /\nAllow: /*?open', '/page', 'unclear'],
  ['Disallow: /', '/robots.txt', 'allowed'],
])('the longest of "%s" judges %s', (rules, path, permission) => {
  expect(judge(`User-agent: *\n${rules}`, path)).toBe(permission);
});

test('a bot obeys the group of its token in any case, its version aside, and no other', () => {
  const file =
    'User-agent: gptbot/1.0 # the crawler\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: ChatGPT Agent\nDisallow: /c';
  expect([judge(file, '/a'), judge(file, '/b'), judge(file, '/c')]).toEqual([
    'disallowed',
    'allowed',
    'allowed',
  ]);
  expect([judge(file, '/a', 'CCBot'), judge(file, '/b', 'CCBot')]).toEqual([
    'allowed',
    'disallowed',
  ]);
  expect(judge(file, '/c', 'ChatGPT Agent')).toBe('disallowed');
  expect(judge(file, '/a', 'GPTBot-News')).toBe('allowed');
});

test('a bot obeys a group of another token of its own before the one for everybody', () => {
  const file = 'User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow: /private';
  expect(judge(file, '/x', 'Googlebot-Image', 'Googlebot')).toBe('allowed');
  expect(judge(`${file}\nUser-agent: Googlebot-Image\nDisallow: /x`, '/x', 'Googlebot-Image')).toBe(
    'disallowed',
  );
});

test('groups of one bot are merged, and no other record divides a group', () => {
  const twice =
    'User-agent: GPTBot\nDisallow: /a\nUser-agent: CCBot\nDisallow: /c\nUser-agent: GPTBot\nDisallow: /b';
  expect([judge(twice, '/a'), judge(twice, '/b'), judge(twice, '/c')]).toEqual([
    'disallowed',
    'disallowed',
    'allowed',
  ]);
  const divided =
    'User-agent: GPTBot\nSitemap: https://a.example/s\nCrawl-delay: 1\n\nUser-agent: CCBot\nDisallow: /';
  expect([judge(divided, '/x'), judge(divided, '/x', 'CCBot')]).toEqual([
    'disallowed',
    'disallowed',
  ]);
});

test('a named bot without rules may read everything, and a rule before any group applies to no bot', () => {
  expect(judge('User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\n', '/x')).toBe('allowed');
  expect(judge('Disallow: /\nUser-agent: CCBot\nDisallow: /', '/x')).toBe('allowed');
});

test.each([
  ['User-agent: *\nDisallow /', '/x'],
  ['User-agent *\nDisallow: /', '/x'],
])('Google alone reads the rules of "%s"', (file, path) => {
  expect([judge(file, path, 'Googlebot'), judge(file, path)]).toEqual(['disallowed', 'allowed']);
});

test("to Google alone, allowing a folder's index page allows the folder", () => {
  const file = 'User-agent: *\nAllow: /dir/index.html\nDisallow: /';
  // A query is not kept, and would be disallowed.
  expect(judge(file, '/dir/', 'Googlebot')).toBe('unclear');
  expect(judge(file, '/dir/', 'GPTBot')).toBe('disallowed');
  expect(judge(file, '/dir/other', 'Googlebot')).toBe('disallowed');
  expect(judge(file.replace('index.html', 'page.html'), '/dir/', 'Googlebot')).toBe('disallowed');
});

test('a byte order mark, any line end and any case of the names are read', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    expect(judge(`\ufeffUSER-AGENT : *${end}dIsAllow:\t/x # not that${end}`, '/x')).toBe(
      'disallowed',
    );
  }
  for (const text of ['', '\0', '<!doctype html><p>User-agent', 'x'.repeat(600_000)]) {
    expect(parseRobots(text).botCount).toBe(0);
  }
});

test('a hostile file is read in no more time than its length asks for', () => {
  const agents = Array.from({ length: 20_000 }, (_, place) => `User-agent: b${place}\n`).join('');
  const rules = `Disallow: /${'*a'.repeat(40)}$\n`.repeat(2000);
  const start = process.cpuUsage();
  expect(judge(agents + rules, `/${'a'.repeat(8000)}b`, 'b7')).toBe('allowed');
  expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
});
