import { hostOf } from './host.ts';
import { isTopLevel } from './owners.ts';
import type { AnswerSource } from '../subject.ts';

/** Google's own redirects to what Gemini cites: where they lead is not in the address. */
const groundingHost = 'vertexaisearch.cloud.google.com';

/**
 * Makes a function that gives the web address to judge a link or source by. Of Gemini's redirects
 * it is made of the domain that the source has as its title, for links in the text that of the
 * source with the same address; undefined where no title is a domain.
 * https://ai.google.dev/gemini-api/docs/google-search
 */
export function createGroundingResolver(
  sources: readonly AnswerSource[],
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
