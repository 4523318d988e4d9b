import { isIpv4, parseAddress } from '../addresses/address.ts';

/**
 * The one spelling of a host: lower-case, without user, port and final dot, an IPv6 address in its short
 * form in brackets. Undefined for any other text.
 */
export function normaliseHost(text: string): string | undefined {
  const bare = text.slice(text.lastIndexOf('@') + 1).toLowerCase();
  // Some logs leave the brackets out. Then there is no port either.
  if (bare.startsWith('[') || bare.indexOf(':') !== bare.lastIndexOf(':')) return ipv6Host(bare);
  const name = bare.replace(/:\d*$/, '').replace(/\.$/, '');
  return /^[^\s/?#\\]{1,255}$/.test(name) ? name : undefined;
}

function ipv6Host(text: string): string | undefined {
  const inner = text.startsWith('[') ? /^\[([^\]]+)\](?::\d*)?$/.exec(text)?.[1] : text;
  const address = inner === undefined ? undefined : parseAddress(inner);
  if (address === undefined) return undefined;
  return isIpv4(address) ? address.text : `[${address.text}]`;
}

const siteName = /^(?:[a-z\d-]+\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)(?::\d+)?$/i;
/** Names of machines, upstreams and sockets, which the internet cannot reach. */
const unreachable =
  /\.(?:corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|php|private|sock)(?::\d+)?$/i;

/** Whether a word can be the name of a site on the internet. */
export function looksLikeSite(text: string): boolean {
  return text.length <= 255 && siteName.test(text) && !unreachable.test(text);
}
