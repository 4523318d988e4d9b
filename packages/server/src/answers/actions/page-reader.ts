import { createGroundingResolver, withoutTracking } from '../../values/sites/site.ts';
import { placesOf, placeText } from '../../values/sites/owned-path.ts';
import { hostOf, unwrapAddress, withScheme } from '../../values/sites/web-host.ts';
import { findLinks } from '../detection/links/find-links.ts';
import { createPageOwners } from '../../values/sites/page-owners.ts';
import type { AnswerSource, DetectableSubject } from '../detection/subject.ts';
import { decodeText } from '../detection/text/decode.ts';

/** Reads the third-party pages that an answer links to or gives as sources, each once, in order. */
export interface PageReader {
  /** Reads the pages. Links in the text count if the text is given. */
  pagesOf(sources: readonly AnswerSource[], text?: string): string[];
}

/**
 * Makes a reader that leaves out the pages of tracked subjects, because the brand cannot get itself
 * added to a competitor's own page.
 */
export function createPageReader(subjects: readonly DetectableSubject[]): PageReader {
  const ownerOf = createPageOwners(subjects);
  return {
    pagesOf(sources, text) {
      const links = text === undefined ? [] : findLinks(decodeText(text), () => false);
      const resolve = createGroundingResolver(sources);
      const addresses = [
        ...sources.map(({ url, title }) => resolve(withScheme(url), title)),
        ...links.map(({ address }) => (address === undefined ? undefined : resolve(address))),
      ];
      return [...new Set(addresses.flatMap((address) => foreignPage(address) ?? []))];
    },
  };

  function foreignPage(address: string | undefined): string | undefined {
    const host = address === undefined ? undefined : hostOf(address);
    if (address === undefined || host === undefined) return undefined;
    return ownerOf(address, host) === undefined ? pageOf(address) : undefined;
  }
}

/** A page in normal form, so that two addresses of the same page are equal: `g2.com/crm?page=2`. */
function pageOf(address: string): string | undefined {
  const url = unwrapAddress(address);
  if (url === undefined) return undefined;
  return `${placeText(placesOf(url)[0])}${withoutTracking(url).search}`;
}
