import { isTopLevel } from './public-suffix.ts';
import { hostOf } from './web-host.ts';

/** Google's redirects to the pages that Gemini cites. */
const groundingHost = 'vertexaisearch.cloud.google.com';

/**
 * Makes a function that returns the web address by which to judge a link or source. A Gemini
 * redirect does not contain its target, so its address is the domain in the title of the source
 * with that address. Undefined if no title is a domain.
 * https://ai.google.dev/gemini-api/docs/google-search
 */
export function createGroundingResolver(
  sources: ReadonlyArray<{ readonly url: string; readonly title?: string | undefined }>,
): (address: string, title?: string) => string | undefined {
  let titles: ReadonlyMap<string, string | undefined> | undefined;

  return function resolve(address, title) {
    if (!address.includes(groundingHost) || hostOf(address) !== groundingHost) return address;
    titles ??= new Map(sources.map((source) => [source.url, source.title]));
    return titleAddress(title ?? titles.get(address));
  };
}

/** `Acme.com`, `https://www.acme.com/pricing`; not a page's title. */
function titleAddress(title: string | undefined): string | undefined {
  const host = /^(?:https?:\/\/)?([\p{L}\p{M}\p{N}.-]+)\.?(?:[/?#]\S*)?$/iu.exec(
    title?.trim() ?? '',
  )?.[1];
  if (host === undefined || !host.includes('.')) return undefined;
  const label = host.replace(/\.$/, '').split('.').at(-1) ?? '';
  return isTopLevel(label.toLowerCase()) ? `https://${host}` : undefined;
}
