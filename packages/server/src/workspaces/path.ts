import { Refusal } from '../refusals.ts';
import { placesOf, placeText } from '../values/sites/owned-path.ts';
import { parseDomain } from './domain.ts';
import { cleanText } from './text.ts';

const lengthMax = 500;

/**
 * Brings an owned path into stored form: `github.com/acme`, which `placesOf` compares. Accepts a
 * pasted address such as `https://www.github.com/Acme/?tab=repositories`. A path includes
 * everything below it. Throws a `Refusal` for an address that has no path or cannot be on the web.
 */
export function parsePath(text: string): string {
  const clean = cleanText(text, { field: 'path', lengthMax: 2000 });
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new Refusal('path_malformed', { text, fault: 'no_web_address' });
  }
  if (url.port !== '') throw new Refusal('path_malformed', { text, fault: 'has_port' });
  // The host must be one that a domain could have.
  const domain = parseDomain(url.hostname);
  const [place] = placesOf(url);
  if (place.segments.length === 0) throw new Refusal('path_is_whole_site', { text, domain });
  const path = placeText(place);
  if (path.length > lengthMax) throw new Refusal('text_too_long', { field: 'path', lengthMax });
  return path;
}
