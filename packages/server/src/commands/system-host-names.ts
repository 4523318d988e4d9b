import { Resolver } from 'node:dns/promises';
import { createHostNames } from '../crawlers/verify/host-names.ts';
import type { HostNames } from '../crawlers/verify/host-names.ts';
import type { Io } from './io.ts';

/** Host names from the machine's own name servers; undefined where `--no-dns` says so. */
export function systemHostNames(io: Io, { dns }: { readonly dns: boolean }): HostNames | undefined {
  if (!dns) return undefined;
  return createHostNames({ resolver: new Resolver({ timeout: 2000, tries: 1 }), clock: io.clock });
}
