import { isAddress } from '../../values/addresses/address.ts';
import { hostOf, looksLikeSite } from './host.ts';
import { textOf } from './raw-line.ts';

/** Fields before and after the usual parts of an NCSA line, as written. */
interface Sides {
  readonly host: string | null;
  readonly address: string | null;
  readonly forwardedFor: string | null;
}

const nothing: Sides = { host: null, address: null, forwardedFor: null };

/**
 * Reads the text before the time and after the user agent. Undefined if the beginning is not known: a
 * prefix that is not known must not hide the address.
 */
export function readSides(before: string, after: string): Sides | undefined {
  const leading = readBefore(before);
  if (leading === undefined || after === '') return leading;
  const trailing = readAfter(after);
  return {
    host: leading.host ?? trailing.host,
    address: leading.address,
    forwardedFor: leading.forwardedFor ?? trailing.forwardedFor,
  };
}

/**
 * `address ident user`, or `host address ident user`. The address may be a host name, which proves
 * nothing, or missing behind a Unix socket; some servers write X-Forwarded-For in its place.
 */
function readBefore(written: string): Sides | undefined {
  const client = written.slice(0, written.indexOf(' '));
  // Nearly every line ends here.
  if (written.startsWith(' - ', client.length) && isAddress(client))
    return { host: null, address: client, forwardedFor: null };
  // LiteSpeed writes its site in brackets, and keeps a quote of its configuration.
  const [, bracketed, text = ''] = /^"?(?:\[([^\]\s]+)\] )?(.*)$/s.exec(written.trimEnd()) ?? [];
  if (bracketed !== undefined) {
    const inner = looksLikeSite(bracketed) ? readBefore(`${text} `) : undefined;
    return inner && { ...inner, host: inner.host ?? bracketed };
  }
  const [first = '', second = '', ...rest] = text.split(' ');
  if (isAddress(first) || looksLikeClient.test(`${text} `)) {
    if (!isAddress(first)) {
      return rest.length >= 2 && isAddress(second)
        ? { ...nothing, host: textOf(first), address: second }
        : nothing;
    }
    // Two addresses are X-Forwarded-For and the peer.
    if (rest.length >= 2 && isAddress(second)) {
      return { ...nothing, address: second, forwardedFor: first };
    }
    // lighttpd has the site where others have the name of ident.
    const host = rest.length === 1 && looksLikeSite(second) ? second : null;
    return { ...nothing, host, address: first };
  }
  const isUnnamed =
    second === '-' && /^(?:unix:|[\w.-]+)$/.test(first) && !isAddress(rest[0] ?? '');
  if (isUnnamed) return nothing;
  const [, forwardedFor = ''] = /^((?:[\da-f.:]+, ?)+[\da-f.:]+) - /i.exec(text) ?? [];
  return forwardedFor.split(',').every((hop) => isAddress(hop.trim()))
    ? { ...nothing, forwardedFor }
    : undefined;
}

/** An address, or a name and an address, however wrong the numbers are. */
const looksLikeClient =
  /^(?:[\w.-]+(?::\d+)? )?(?:(?:[\da-f]+\.){3}[\da-f]+(?::\d+)?|(?:[\da-f.]*:){7}[\da-f.]*|[\da-f:.]*::[\da-f:.]*) /i;

/**
 * What follows the user agent: a first field in quotes may be X-Forwarded-For, one lone name without
 * quotes is the host. Nothing in quotes is a host, because clients write headers. Anything else is the
 * site's own, and not guessed at.
 */
function readAfter(text: string): Sides {
  const fields = text.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [];
  const [first = ''] = fields;
  const quoted = /^".*"$/s.test(first) ? first.slice(1, -1) : undefined;
  const names = quoted === undefined ? fields : fields.slice(1);
  const [name = ''] = names;
  return {
    ...nothing,
    host: names.length === 1 && looksLikeSite(name) ? hostOf(name) : null,
    forwardedFor: quoted?.split(',').some((hop) => isAddress(hop.trim())) ? quoted : null,
  };
}
