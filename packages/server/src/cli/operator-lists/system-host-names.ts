import { createDnsResolver, createHostNames } from '../../crawlers/verify/host-names.ts';
import type { HostNames } from '../../crawlers/verify/host-names.ts';
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
