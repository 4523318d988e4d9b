import { createDnsResolver } from '../../crawlers/verify/dns-resolver.ts';
import { createHostNames } from '../../crawlers/verify/host-names.ts';
import type { HostNames } from '../../crawlers/verify/host-names.ts';
import type { Io } from '../terminal/io.ts';

/** Host names from the machine's own name servers; undefined where `--no-dns` says so. */
export function systemHostNames(io: Io, { dns }: { readonly dns: boolean }): HostNames | undefined {
  return dns ? createHostNames({ resolver: createDnsResolver(), clock: io.clock }) : undefined;
}
