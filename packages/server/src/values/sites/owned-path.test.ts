import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { isSharedHost, placesOf, placeText } from './owned-path.ts';

function kept(address: string): string {
  return placeText(placesOf(new URL(address))[0]);
}

test.each([
  ['https://www.github.com/Acme/', 'github.com/acme'],
  ['https://m.github.com//acme/Repo?tab=readme#usage', 'github.com/acme/repo'],
  ['https://github.com/%61cme', 'github.com/acme'],
  ['https://youtube.com/@ACME/videos', 'youtube.com/@acme/videos'],
  ['https://music.youtube.com/channel/UCaB', 'youtube.com/channel/UCaB'],
  ['https://de.linkedin.com/company/Acme?trk=x', 'linkedin.com/company/acme'],
  ['https://apps.apple.com/de/app/acme-crm/id123?mt=8', 'apps.apple.com/app/id123'],
  ['https://apps.apple.com/us/app/acme', 'apps.apple.com/app/acme'],
  [
    'https://play.google.com/store/apps/details?hl=en&id=com.acme.App',
    'play.google.com/store/apps/details/?id=com.acme.App',
  ],
  ['https://www.facebook.com/profile.php?id=42&x=1', 'facebook.com/profile.php/?id=42'],
  ['https://t.me/s/Acme', 't.me/acme'],
  ['https://example.org/Acme/b', 'example.org/Acme/b'],
  ['https://example.org/cafe%CC%81', 'example.org/café'],
  ['https://example.org/a%2fb', 'example.org/a%2fb'],
  ['https://example.org/a%0Ab/%FF', 'example.org/a%0Ab/%FF'],
])('%s is kept as %s', (address, path) => {
  expect(kept(address)).toBe(path);
  expect(kept(`https://${path}`)).toBe(path);
});

test('the address of a kept path gives the same path, whatever the address', () => {
  const hosts = fc.constantFrom(
    'github.com',
    'www.youtube.com',
    'uk.linkedin.com',
    'apps.apple.com',
    'play.google.com',
    'fb.com',
    'T.me',
    'example.org',
    'm.example.co.uk',
    'www.www.com',
  );
  const segment = fc.oneof(
    fc.constantFrom('us', 'app', 'id1', 's', '@Acme', 'store', 'apps', 'profile.php', '..', '%2F'),
    fc.string({ unit: 'grapheme', maxLength: 6 }).map(encodeURIComponent),
    fc.webPath(),
  );
  const query = fc.constantFrom('', '?id=A.b', '?id=%20', '?x=1');
  fc.assert(
    fc.property(hosts, fc.array(segment, { maxLength: 5 }), query, (host, segments, rest) => {
      const path = kept(`https://${host}/${segments.join('/')}${rest}`);
      expect(kept(`https://${path}`)).toBe(path);
    }),
    { numRuns: cases(300) },
  );
});

test('only one country is left out of an address of the App Store', () => {
  expect(kept('https://apps.apple.com/us/app/acme/id1')).toBe('apps.apple.com/app/id1');
  expect(kept('https://apps.apple.com/us/us/us')).toBe('apps.apple.com/us/us/us');
  expect(kept('https://apps.apple.com/us')).toBe('apps.apple.com/us');
});

test('the preview of a Telegram channel counts as the channel, even if the channel is named s', () => {
  expect(kept('https://t.me/s/Acme')).toBe('t.me/acme');
  expect(kept('https://t.me/s')).toBe('t.me/s');
  expect(kept('https://t.me/s/s')).toBe('t.me/s');
});

test('sites that many subjects share are recognised under every host', () => {
  expect(isSharedHost('www.github.com')).toBe(true);
  expect(isSharedHost('old.reddit.com')).toBe(true);
  expect(isSharedHost('acme.github.com')).toBe(false);
  expect(isSharedHost('acme.com')).toBe(false);
});
