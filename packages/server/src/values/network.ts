import { isIPv6 } from 'node:net';

/**
 * The network that limits count by: an IPv4 address, or the /64 of IPv6 that one customer usually
 * has.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = ''] = address.split('%');
  const [left = '', right] = head.split('::');
  const groups = left === '' ? [] : left.split(':');
  if (right !== undefined) {
    const tail = right === '' ? [] : right.split(':');
    while (groups.length + tail.length < 8) groups.push('0');
    groups.push(...tail);
  }
  return groups.slice(0, 4).join(':');
}
