import { describe, expect, test } from 'vitest';
import { MalformedList, parseListFile } from './list-file.ts';

describe('reading a list', () => {
  test('a list is read as JSON with prefixes and a time', () => {
    const text = JSON.stringify({
      creationTime: '2026-11-18T10:00:00.000000',
      prefixes: [{ ipv6Prefix: '2001:4860:4801:10::/64' }, { ipv4Prefix: '66.249.64.9/27' }],
    });
    expect(parseListFile(text, 'json')).toEqual({
      createdMs: Date.parse('2026-11-18T10:00:00.000Z'),
      prefixes: ['2001:4860:4801:10::/64', '66.249.64.0/27'],
    });
  });

  test('a list is read out of a page that has it as JSON', () => {
    const json =
      '{"creationTime":"2026-11-18T10:00:00Z","prefixes":[{"ip_prefix":"52.70.240.171/32"}]}';
    for (const page of [
      `<html><body><p>{ not this }</p><pre>${json}</pre></body></html>`,
      `<html><div data-list="${json.replaceAll('"', '&quot;')}"></div></html>`,
    ]) {
      expect(parseListFile(page, 'page').prefixes).toEqual(['52.70.240.171/32']);
    }
  });

  test('a list is read as text or CSV with a network first on each line', () => {
    const text = '# of a network\n173.245.48.0/20\n2400:cb00::/32,US,US-CA,,\n\n';
    for (const form of ['geofeed', 'own'] as const) {
      expect(parseListFile(text, form).prefixes).toEqual(['173.245.48.0/20', '2400:cb00::/32']);
    }
    expect(parseListFile(`\uFEFF${text.replaceAll('\n', '\r\n')}`, 'own').prefixes).toHaveLength(2);
    expect(() => parseListFile(text, 'json')).toThrow(MalformedList);
  });

  test('the time to read a hostile page grows with its length alone', () => {
    const pages = [
      `${'{'.repeat(100_000)}"prefixes"`,
      `${'{}'.repeat(100_000)}"prefixes"${'{'.repeat(100_000)}`,
      `{"prefixes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    ];
    const start = process.cpuUsage();
    for (const page of pages) expect(() => parseListFile(page, 'page')).toThrow(MalformedList);
    expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
  });

  test.each([
    '',
    '{"prefixes":[]}',
    'not a network',
    '0.0.0.0/0',
    '{"prefixes":[{"ipv4Prefix":"20.171.207.0/24"},{"ipv4Prefix":"x"}]}',
    '{"prefixes":[{"ipv4Prefix":"20.171.207.0/24"},"45.9.148.3"]}',
    '20.171.207.0/24\n45.9.148.3 - - [20/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 5',
    '20.171.207.0/24\u0000',
    '\uFFFD\uFFFD2\u00000\u0000',
  ])('a list is refused unless every entry is a network of some size: %s', (text) => {
    for (const form of ['json', 'page', 'geofeed', 'own'] as const) {
      expect(() => parseListFile(text, form)).toThrow(MalformedList);
    }
  });

  test('a list that is not in the catalogue is read as content networks publish theirs', () => {
    for (const text of [
      '{"addresses":["23.235.32.0/20"],"ipv6_addresses":["2a04:4e40::/32"]}',
      '{"prefixes":[{"ip_prefix":"23.235.32.0/20","service":"CLOUDFRONT"}],"ipv6_prefixes":[{"ipv6_prefix":"2a04:4e40::/32"}]}',
      '["23.235.32.0/20","2a04:4e40::/32"]',
    ]) {
      expect(parseListFile(text, 'own').prefixes).toEqual(['23.235.32.0/20', '2a04:4e40::/32']);
    }
  });
});
