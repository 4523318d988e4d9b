import { Resolver as Dns } from 'node:dns/promises';
import { createHostNames } from '../../crawlers/verify/host-names.ts';
import type { HostNames, Resolver } from '../../crawlers/verify/host-names.ts';
import { parseAddress, reverseName } from '../../values/addresses/address.ts';
import { flag } from '../define/options.ts';
import type { Io } from '../terminal/io.ts';

export const noDns = flag('ask for no host names');

/** Host names from the machine's own name servers; undefined with `--no-dns`. */
export function systemHostNames(
  { clock }: Io,
  values: { readonly noDns: boolean },
): HostNames | undefined {
  return values.noDns ? undefined : createHostNames({ resolver: createDnsResolver(), clock });
}

/**
 * Asks name servers: the machine's own, or those given as `127.0.0.1:53`. Each question once, for two
 * seconds at most. Fails with the codes of `node:dns`.
 */
export function createDnsResolver({ servers }: { servers?: readonly string[] } = {}): Resolver {
  const dns = new Dns({ timeout: 2000, maxTimeout: 2000, tries: 1 });
  if (servers !== undefined) dns.setServers(servers);
  return {
    reverse,
    resolve4: (name) => dns.resolve4(name),
    resolve6: (name) => dns.resolve6(name),
  };

  // Not `dns.reverse`: it says ENOTFOUND of servers that do not answer, too, as if there were no name.
  async function reverse(text: string): Promise<string[]> {
    const address = parseAddress(text);
    if (address === undefined) throw new TypeError('No address');
    return dns.resolvePtr(reverseName(address));
  }
}
