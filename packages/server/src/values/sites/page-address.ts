import { siteOf } from './public-suffix.ts';
import { hostOf, unwrapAddress, withScheme } from './web-host.ts';

/** Query parameters that say where a visitor came from. They do not select the page. */
const tracking = /^(?:utm_\w+|gclid|fbclid|msclkid|srsltid|ref|referrer|source)$/i;

/** Removes such parameters and the fragment from an address, and sorts the others. */
export function withoutTracking(address: URL): URL {
  const url = new URL(address);
  const names = Array.from(url.searchParams.keys()).filter((name) => tracking.test(name));
  for (const name of names) url.searchParams.delete(name);
  url.searchParams.sort();
  url.hash = '';
  return url;
}

/** A page in normal form, and its site. Undefined if it isn't an address on the web. */
export function pageOf(
  address: string,
): { readonly url: string; readonly site: string } | undefined {
  const written = withScheme(address);
  const [target, host] = [unwrapAddress(written), hostOf(written)];
  if (target === undefined || host === undefined) return undefined;
  return { url: withoutTracking(target).href, site: siteOf(host) };
}
