import { isTopLevel, siteOf } from '../../../values/sites/site.ts';
import { isDictionaryScript, isHangul, isWordlike } from '../language/scripts.ts';

/** A domain or e-mail address in a text without `https://`. Offsets in code units. */
export interface BareHost {
  readonly start: number;
  readonly end: number;
  /** Where the host begins: after the `@` of an e-mail address. */
  readonly host: number;
  readonly isMail: boolean;
}

/** Whether a text, as it is written, is an alias of a subject. */
export type IsAlias = (text: string) => boolean;

const hostLengthMax = 253;
/** Characters to search on each side of the dot. Every host is shorter. */
const runMax = 300;

/**
 * Finds the bare domain or e-mail address around the dot at `dot`, not reaching back before `from`.
 * Undefined for `Node.js`, `e.g.`, `3.5` or `the end.The next`. `runEnd` is where to continue the
 * search.
 */
export function findBareHost(
  text: string,
  dot: number,
  { from, isAlias }: { readonly from: number; readonly isAlias: IsAlias },
): { runEnd: number; host: BareHost | undefined } {
  const left = kindOf(text, dot - 1);
  const right = kindOf(text, dot + 1);
  if (left === undefined || right === undefined) return { runEnd: dot + 1, host: undefined };
  const isForeign = left === 'foreign' || right === 'foreign';
  const start = runStart(text, dot, from, isForeign);
  const first = runEnd(text, dot, isForeign);
  const end = text[first] === '@' ? runEnd(text, first, isForeign) : first;
  const sign = end > first ? first : text[start - 1] === '@' && start > from ? start - 1 : -1;
  return { runEnd: first, host: trimHost(text, { start, end, sign, from }, isAlias) };
}

/**
 * Trims dots and hyphens at the host's ends, and the sentences around it. Includes the part before
 * the `@` at offset `sign`, which is -1 if there is no `@`.
 */
function trimHost(
  text: string,
  { start, end, sign, from }: { start: number; end: number; sign: number; from: number },
  isAlias: IsAlias,
): BareHost | undefined {
  const local = sign === -1 ? sign : localStart(text, sign, from);
  const isMail = local < sign;
  let host = sign === -1 ? start : sign + 1;
  while (host < end && /[.-]/.test(text[host] ?? '')) host += 1;
  const length = hostLength(text.slice(host, end), isAlias);
  const last = host + length;
  // In `price.AT&T` there is no host, because an ampersand and a letter never follow one.
  if (length === 0 || /^&\p{L}/u.test(text.slice(last, last + 3))) return undefined;
  if (!isMail) host += lostSentenceLength(text.slice(host, last));
  return { start: isMail ? local : host, end: last, host, isMail };
}

/**
 * The length of the host at the start of `run`; 0 if there is no host. A sentence that follows
 * without a space is not part of the host: `RTINGS.com.The`.
 */
export function hostLength(run: string, isAlias: IsAlias): number {
  if (run.length > 2 * runMax) return 0;
  for (let host = run.replace(/[.-]+$/, ''); host.includes('.');) {
    if (isHost(host, isAlias)) return host.length;
    const dot = host.lastIndexOf('.');
    if (!/^\p{Lu}/u.test(host.slice(dot + 1))) return 0;
    host = host.slice(0, dot).replace(/[.-]+$/, '');
  }
  return 0;
}

function isHost(host: string, isAlias: IsAlias): boolean {
  const label = host.slice(host.lastIndexOf('.') + 1);
  if (host.length > hostLengthMax || host.includes('..')) return false;
  if (!/^(?:\p{L}[\p{L}\p{M}]+|xn--[a-z0-9-]+)$/iu.test(label)) return false;
  return !isSentenceStart(host, label, isAlias) && isTopLevel(label.toLowerCase());
}

/**
 * In `Acme.It is` and `everyone.BMW i7` the dot ends a sentence. A domain in capitals looks like
 * `Acme.Com`.
 */
function isSentenceStart(host: string, label: string, isAlias: IsAlias): boolean {
  const title = label.charAt(0) + label.slice(1).toLowerCase();
  if (capitalised.has(title)) return false;
  if (/^[A-Z][a-z]+$/.test(label)) return true;
  // Top-level domains that are also brands.
  if (!/\p{Ll}/u.test(label) && isAlias(label)) return true;
  const before = host.slice(0, -label.length);
  if (!/^[A-Z]+$/.test(label) || !/\p{Ll}/u.test(before)) return false;
  // A country's top-level domain after a name: `Amazon.DE`.
  return label.length > 2 || !/^\p{Lu}/u.test(before);
}

/** Labels that often stand before a domain's name, such as `www`. */
const subdomains = new Set(
  'www m mobile shop store blog docs help support app api dev developer developers my mail account accounts login secure cloud aws music maps drive news play tv kids web go get try about careers jobs investors en de fr es it uk us eu ca au jp in'.split(
    ' ',
  ),
);

/**
 * The length of the end of a sentence before a domain: `better prices.` in `better
 * prices.Booking.com`, or `很好用.` in `很好用.booking.com`.
 */
function lostSentenceLength(host: string): number {
  const site = siteOf(host.toLowerCase());
  const length = host.length - site.length;
  const before = host.slice(0, Math.max(0, length - 1));
  const label = before.slice(before.lastIndexOf('.') + 1);
  if (label === '' || !/\p{Ll}/u.test(host) || subdomains.has(label.toLowerCase())) return 0;
  const isOtherScript = /[^\p{Script=Latin}\p{N}-]/u.test(label) && /^[\w.-]+$/.test(site);
  return isOtherScript || /^\p{Lu}/u.test(host.slice(length)) ? length : 0;
}

const capitalised = new Set(['Com', 'Net', 'Org', 'Io', 'Ai', 'App', 'Dev']);

/** Whether a character of a host belongs to a script with spaces, to one without, or to no host. */
function kindOf(text: string, at: number): 'plain' | 'foreign' | undefined {
  const unit = text.charCodeAt(at);
  if (Number.isNaN(unit)) return undefined;
  if (unit < 0x80) return isHostAscii(unit) ? 'plain' : undefined;
  const character = String.fromCharCode(unit);
  if (!isWordlike(character)) return undefined;
  return isDictionaryScript(character) || isHangul(character) ? 'foreign' : 'plain';
}

function isHostAscii(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2d ||
    unit === 0x2e
  );
}

function runStart(text: string, dot: number, from: number, isForeign: boolean): number {
  let at = dot;
  while (at > from && dot - at < runMax && isPart(text, at - 1, isForeign)) at -= 1;
  return at;
}

function runEnd(text: string, dot: number, isForeign: boolean): number {
  let at = dot + 1;
  while (at < text.length && at - dot < runMax && isPart(text, at, isForeign)) at += 1;
  return at;
}

/** In `访问acme.com了解` the host ends at the change of script. `例子.中国` is a whole host. */
function isPart(text: string, at: number, isForeign: boolean): boolean {
  const kind = kindOf(text, at);
  return kind === 'plain' || (isForeign && kind === 'foreign');
}

/** Where the part before an `@` begins. */
function localStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && at - start < runMax && /[\w.%+-]/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}
