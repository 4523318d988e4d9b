import { CommandError } from '../problems.ts';
import { placesOf, placeText } from '../values/owned-path.ts';
import { printable } from '../values/printable.ts';
import { parseDomain } from './domain.ts';
import { cleanText } from './text.ts';

const lengthMax = 500;

/**
 * An owned path as it is stored: `github.com/acme`, in the form in which `placesOf` compares it. A
 * pasted address such as `https://www.github.com/Acme/?tab=repositories` is understood. Everything
 * below it belongs to it and needs no entry. Throws a `CommandError` (2) for an address that has no
 * path or cannot be on the web.
 */
export function parsePath(text: string): string {
  const clean = cleanText(text, { what: 'A path', lengthMax: 2000 });
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw wrong(text, 'it is not a web address such as github.com/acme');
  }
  if (url.port !== '') throw wrong(text, 'an owned path has no port');
  // The host must be one that a domain could have.
  const domain = parseDomain(url.hostname);
  const [place] = placesOf(url);
  if (place.segments.length === 0) {
    throw wrong(text, `nothing follows the host; the whole site is a domain: --domain ${domain}`);
  }
  const path = placeText(place);
  if (path.length > lengthMax) throw wrong(text, `it is longer than ${lengthMax} characters`);
  return path;
}

function wrong(text: string, why: string): CommandError {
  return new CommandError(
    `"${printable(text, { lengthMax: 80 })}" cannot be an owned path: ${why}.`,
    {
      exitCode: 2,
    },
  );
}
