import { amount, thousands } from '../../values/plural.ts';
import { networksMax } from './address-verdicts.ts';
import type { AddressVerdicts } from './address-verdicts.ts';

/** What a person should know of the addresses in a log. */
export interface AddressWords {
  readonly sentence: string;
  /** Whether the log most likely has a proxy's addresses, so that `clientAddressLines` help. */
  readonly isProxy: boolean;
}

/**
 * Says why most requests of bots are not verified; undefined if most are, or if no list or host name
 * decides any.
 */
export function addressWords({
  verified,
  refuted,
  shared,
  networks,
}: AddressVerdicts): AddressWords | undefined {
  const wrong = refuted + shared;
  if (wrong <= verified) return undefined;
  const counts = `${thousands(verified)} of ${thousands(verified + wrong)} verified`;
  if (shared >= refuted) {
    const cause =
      "ordinary visitors share the refuted addresses: your log most likely has a proxy's addresses";
    return { sentence: `${counts}: ${cause}.`, isProxy: true };
  }
  const many = networks >= networksMax ? 'more than ' : '';
  const cause = `${thousands(refuted)} refuted from ${many}${amount(networks, 'network')} that no visitor shares`;
  // One service that renders pages for bots looks like one forger.
  const either = verified === 0 && networks < 3 ? ', or a service that renders pages for bots' : '';
  return { sentence: `${counts}: ${cause}: forgeries${either}.`, isProxy: false };
}

/** How each server logs the client's address, which each CDN names in a header. */
export const clientAddressLines: readonly string[] = [
  'nginx: set_real_ip_from NETWORK; real_ip_header HEADER;',
  'Apache: RemoteIPTrustedProxy NETWORK, RemoteIPHeader HEADER, and %a in the LogFormat',
  'Caddy: servers { trusted_proxies static NETWORK; client_ip_headers HEADER }',
  'HEADER is X-Forwarded-For; of Cloudflare CF-Connecting-IP, Akamai True-Client-IP, Fastly Fastly-Client-IP, Amazon CloudFront CloudFront-Viewer-Address, Azure Front Door X-Azure-ClientIP, Sucuri X-Sucuri-ClientIP, Imperva Incap-Client-IP. NETWORK is each network of the proxy.',
];
