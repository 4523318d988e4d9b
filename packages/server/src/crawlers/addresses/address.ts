/** An IP address as numbers: IPv4 in 32 bits, IPv6 in four times 32, most significant first. */
export type Address =
  | { readonly family: 4; readonly value: number }
  | { readonly family: 6; readonly words: readonly [number, number, number, number] };

/**
 * Reads an IPv4 or IPv6 address. Takes what logs write around it: a port, brackets, a zone. An
 * IPv4 address inside IPv6 (`::ffff:192.0.2.1`, and NAT64's `64:ff9b::192.0.2.1`, RFC 6052) is the
 * IPv4 address. Undefined where it is none.
 */
export function parseAddress(text: string): Address | undefined {
  if (text !== known.text) known = { text, address: readAddress(text) };
  return known.address;
}

/** A line's address is asked for several times on its way. */
let known: { readonly text: string; readonly address: Address | undefined } = {
  text: '',
  address: undefined,
};

function readAddress(text: string): Address | undefined {
  const colon = text.indexOf(':');
  if (colon === -1) return ipv4(text);
  if (text.includes('.', 0) && text.indexOf('.') < colon) return ipv4(text.slice(0, colon));
  return ipv6(bareIpv6(text));
}

/** The one spelling of an address: dotted IPv4, or IPv6 after RFC 5952. */
export function formatAddress(address: Address): string {
  if (address.family === 4) return formatIpv4(address.value);
  const groups = address.words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

/** Strict: four decimal numbers without leading zeros, which some programs read as octal. */
function ipv4(text: string): Address | undefined {
  let value = 0;
  let part = -1;
  let parts = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 46;
    if (code === 46) {
      if (part < 0 || ++parts > 4) return undefined;
      value = value * 256 + part;
      part = -1;
    } else if (code >= 48 && code <= 57 && part !== 0) {
      part = (part < 0 ? 0 : part) * 10 + code - 48;
      if (part > 255) return undefined;
    } else {
      return undefined;
    }
  }
  return parts === 4 ? { family: 4, value } : undefined;
}

function bareIpv6(text: string): string {
  const inner = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text;
  const zone = inner.indexOf('%');
  return zone === -1 ? inner : inner.slice(0, zone);
}

function ipv6(text: string): Address | undefined {
  if (text.length > 45) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const before = groupsOf(head, tail === undefined);
  const after = tail === undefined ? [] : groupsOf(tail, true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...Array.from({ length: missing }, () => 0), ...after];
  const word = (place: number) =>
    (((groups[place * 2] ?? 0) << 16) | (groups[place * 2 + 1] ?? 0)) >>> 0;
  const words = [word(0), word(1), word(2), word(3)] as const;
  const isMapped = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  const isNat64 = words[0] === 0x64ff9b && words[1] === 0 && words[2] === 0;
  return isMapped || isNat64 ? { family: 4, value: words[3] } : { family: 6, words };
}

/** The 16-bit groups of one half; the last two may be written as IPv4. */
function groupsOf(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const last = mayEndInIpv4 && index === parts.length - 1 ? ipv4(part) : undefined;
    if (last?.family !== 4) return undefined;
    groups.push(last.value >>> 16, last.value & 0xffff);
  }
  return groups;
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let index = 0; index <= groups.length; index++) {
    if (groups[index] === 0) continue;
    if (index - start > best.length) best = { start, length: index - start };
    start = index + 1;
  }
  return best;
}
