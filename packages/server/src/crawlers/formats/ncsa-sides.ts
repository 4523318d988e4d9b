import { isAddress } from '../address.ts';
import { hostOf } from './host.ts';
import { textOf } from './raw-line.ts';

/** What stands around the usual parts of a line in NCSA, still as written. */
interface Sides {
  readonly host: string | null;
  readonly address: string | null;
  readonly forwardedFor: string | null;
}

const nothing: Sides = { host: null, address: null, forwardedFor: null };

/**
 * Reads what stands before the time and after the user agent. Undefined where the beginning is none: a
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
 * `address ident user`, or `host address ident user`. A server that resolves names has a name for the
 * address, which proves nothing, one behind a socket has none; some have X-Forwarded-For in its place.
 */
function readBefore(written: string): Sides | undefined {
  const client = written.slice(0, written.indexOf(' '));
  // Nearly every line ends here.
  if (written.startsWith(' - ', client.length) && isAddress(client))
    return { host: null, address: client, forwardedFor: null };
  const text = written.trimEnd();
  const [first = '', second = '', ...rest] = text.split(' ');
  if (isAddress(first) || looksLikeClient.test(written)) {
    const isHostFirst = rest.length >= 2 && isAddress(second);
    return isHostFirst
      ? { ...nothing, host: textOf(first), address: second }
      : { ...nothing, address: isAddress(first) ? first : null };
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

const siteName = /^(?:[a-z\d-]+\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)(?::\d+)?$/i;
/** Names of machines, upstreams and sockets, by which nobody on the internet can come. */
const unreachable =
  /\.(?:corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|php|private|sock)(?::\d+)?$/i;

/**
 * What follows the user agent: addresses in quotes are X-Forwarded-For, one lone name that a site may
 * have is the host. Anything else is the site's own, and not guessed at.
 */
function readAfter(text: string): Sides {
  const fields = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([whole, inner]) => inner ?? whole,
  );
  const [first = ''] = fields;
  const hasForwarded =
    text.trimStart().startsWith('"') && first.split(',').some((hop) => isAddress(hop.trim()));
  const names = hasForwarded ? fields.slice(1) : fields;
  const [name = ''] = names;
  const isHost = names.length === 1 && siteName.test(name) && !unreachable.test(name);
  return {
    ...nothing,
    host: isHost ? hostOf(name) : null,
    forwardedFor: hasForwarded ? first : null,
  };
}
