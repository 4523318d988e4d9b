import { formatAddress, parseAddress } from '../addresses/address.ts';
import type { RangeSet } from '../addresses/range-set.ts';
import type { LogLine } from '../log-line.ts';

/**
 * The client's address in its one spelling: the peer's, or where the peer is a trusted proxy, the
 * nearest address in X-Forwarded-For that is not one. Null where the log has none.
 */
export function clientAddress(
  { address, forwardedFor }: Pick<LogLine, 'address' | 'forwardedFor'>,
  trusted: RangeSet | undefined,
): string | null {
  const peer = address === null ? undefined : parseAddress(address);
  if (peer === undefined) return null;
  if (trusted === undefined || forwardedFor === null || trusted.find(peer) === -1) {
    return formatAddress(peer);
  }
  let client = peer;
  for (const text of forwardedFor.split(',').toReversed()) {
    const hop = parseAddress(text.trim());
    // What stands left of a hop that cannot be read may be anybody's invention.
    if (hop === undefined) break;
    client = hop;
    if (trusted.find(hop) === -1) break;
  }
  return formatAddress(client);
}
