import { dayMs } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import { amount, thousands } from '../../values/plural.ts';

/** What lists and host names say of the addresses of hits, before any overruling. */
export interface AddressVerdicts {
  readonly verified: number;
  /** Refuted, and no visitor shares the address. */
  readonly refuted: number;
  /** Refuted, with an ordinary visitor behind the address. */
  readonly shared: number;
  /** Networks of refuted hits; at most `networksMax`. */
  readonly networks: number;
}

/** More are not counted: anyone can send requests from many networks. */
export const networksMax = 10_000;

/** Counts the hits of a period, UTC days, both included, whose addresses a list or a name decides. */
export async function readAddressVerdicts(
  { db, workspaceId }: ReportSource,
  { from, to }: { from: string; to: string },
): Promise<AddressVerdicts> {
  const votes = db
    .selectFrom('hit_votes')
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', Date.parse(from) / dayMs)
    .where('day', '<=', Date.parse(to) / dayMs);
  const sums = await votes
    .select(({ fn }) => ['verdict', fn.sum<number>('hits').as('hits')])
    .groupBy('verdict')
    .execute();
  const counts = new Map(sums.map(({ verdict, hits }) => [verdict, hits]));
  const { networks } = await db
    .selectFrom(
      votes
        .select('network')
        .distinct()
        .where('verdict', '=', 'refuted')
        .limit(networksMax)
        .as('refuted'),
    )
    .select(({ fn }) => fn.countAll<number>().as('networks'))
    .executeTakeFirstOrThrow();
  return {
    verified: counts.get('verified') ?? 0,
    refuted: counts.get('refuted') ?? 0,
    shared: counts.get('shared') ?? 0,
    networks,
  };
}

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
