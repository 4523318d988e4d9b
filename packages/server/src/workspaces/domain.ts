import { isIP } from 'node:net';
import { CommandError } from '../problems.ts';
import { isSharedHost } from '../values/owned-path.ts';
import { quoted } from './sentences.ts';
import { cleanText } from './text.ts';

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const lengthMax = 253;

/**
 * A domain as it is stored: `acme.com`, lower-case, IDNA in ASCII, without `www.`. A pasted address
 * such as `https://www.acme.com/pricing` is understood, but not one of a part of a site that many
 * share. Subdomains belong to it and need no entry. Throws a `CommandError` (2) for what is no public host name.
 */
export function parseDomain(text: string): string {
  const clean = cleanText(text, { what: 'A domain', lengthMax: 2000 });
  // URL's parser applies IDNA, percent decoding and every spelling of an IPv4 address.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `https://${clean}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw wrong(text, 'it is no host name such as acme.com');
  }
  if (url.port !== '') throw wrong(text, 'a domain has no port');
  if (url.pathname !== '/' && isSharedHost(url.hostname)) {
    throw wrong(text, 'many have pages on that site; a part of it is an owned path: --path');
  }
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) {
    throw wrong(text, 'an address of numbers is no domain');
  }
  const domain = /^www\.[^.]+\./.test(host) ? host.slice('www.'.length) : host;
  const labels = domain.split('.');
  if (labels.length < 2) throw wrong(text, 'it has no dot, such as in acme.com');
  const isHostName = labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '');
  if (!isHostName || domain.length > lengthMax) {
    throw wrong(text, 'it is no host name such as acme.com; subdomains need no "*."');
  }
  return domain;
}

function wrong(text: string, why: string): CommandError {
  return new CommandError(`${quoted(text)} cannot be a domain: ${why}.`, { exitCode: 2 });
}
