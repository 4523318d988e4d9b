import { isIP } from 'node:net';
import { Refusal } from '../refusals.ts';
import type { RefusalFacts } from '../refusals.ts';
import { isSharedHost } from '../values/sites/owned-path.ts';
import { cleanText } from './text.ts';

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const lengthMax = 253;

/**
 * Brings a domain into stored form: `acme.com`, lower-case, IDNA in ASCII, without `www.`. Accepts
 * a pasted address such as `https://www.acme.com/pricing`, but not a path on a site that many
 * share. A domain includes its subdomains. Throws a `Refusal` for anything but a public host name.
 */
export function parseDomain(text: string): string {
  const clean = cleanText(text, { field: 'domain', lengthMax: 2000 });
  // URL's parser applies IDNA, percent decoding and every spelling of an IPv4 address.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw domainRefusal(text, 'no_host_name');
  }
  if (url.port !== '') throw domainRefusal(text, 'has_port');
  if (url.pathname !== '/' && isSharedHost(url.hostname)) {
    throw new Refusal('domain_is_shared_site', { text });
  }
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) {
    throw domainRefusal(text, 'is_address');
  }
  const domain = /^www\.[^.]+\./.test(host) ? host.slice('www.'.length) : host;
  const labels = domain.split('.');
  if (labels.length < 2) throw domainRefusal(text, 'has_no_dot');
  const isHostName = labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
  if (!isHostName || domain.length > lengthMax) {
    throw domainRefusal(text, 'bad_label');
  }
  return domain;
}

function domainRefusal(text: string, fault: RefusalFacts['domain_malformed']['fault']): Refusal {
  return new Refusal('domain_malformed', { text, fault });
}
