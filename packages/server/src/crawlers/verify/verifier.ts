import type { Address } from '../../values/addresses/address.ts';
import { createOwnSites } from '../../values/sites/own-site.ts';
import type { Bot } from '../bots/catalogue.ts';
import type { LogLine } from '../log-line.ts';
import { createLists } from '../operators/lists.ts';
import type { StoredVersion } from '../operators/file-versions.ts';
import { createKeyFinder } from '../operators/key-directory.ts';
import type { HostNames } from './host-names.ts';
import { judge, wantsDns } from './judge.ts';
import type { Claim, DnsResult, NamedClient, SignatureResult } from './judge.ts';
import type { Verdict } from './verdict.ts';
import { signatureAgentHost, verifySignature } from './web-bot-auth.ts';

export type Request = Pick<LogLine, 'atMs' | 'method' | 'target' | 'signature' | 'userAgent'> & {
  readonly bot: Bot;
  readonly address: Address | null;
  /** Whether the address is a trusted proxy's, whose header names no client. */
  readonly isProxy?: boolean | undefined;
  /** Client addresses in headers of untrusted proxies. */
  readonly otherClients?: readonly Address[] | undefined;
  /** The result of an earlier look-up of its host name. */
  readonly knownName?: DnsResult | undefined;
};

export type Verifier = ReturnType<typeof createVerifier>;

/**
 * Makes a verifier, which judges single requests, from the stored files of operators, and from host names
 * if they are given.
 */
export function createVerifier({
  files,
  bots,
  ownSites,
  hostNames,
  clock,
}: {
  files: ReadonlyMap<string, readonly StoredVersion[]>;
  bots: readonly Bot[];
  /** The domains of the workspace's own sites. */
  ownSites: readonly string[];
  hostNames: HostNames | undefined;
  clock: () => number;
}) {
  const lists = createLists(files);
  const findKey = createKeyFinder(files);
  const ownSiteOf = createOwnSites(ownSites);
  const signers = new Map(
    bots.flatMap((bot) => (bot.agent === undefined ? [] : [[bot.agent, bot]])),
  );
  return { judge: judgeRequest, findSigner };

  /** Looks host names up only if they could decide. */
  async function judgeRequest(request: Request): Promise<Verdict> {
    const { bot, address, atMs, isProxy, knownName } = request;
    const claim: Claim = {
      bot,
      address,
      isProxy,
      atMs,
      nowMs: clock(),
      dns: knownName,
      signature: checkSignature(request),
      otherClients: request.otherClients?.map((client) => ({ address: client })),
    };
    const verdict = judge(claim, lists);
    if (hostNames === undefined || address === null || !wantsDns(claim, verdict)) return verdict;
    const lookup = await hostNames.ask(address.text, bot);
    // The name that was found nearer to the request counts, unless there is proof by now.
    const dns = knownName === undefined || lookup.kind === 'confirmed' ? lookup : knownName;
    const addressVerdict = judge({ ...claim, dns }, lists);
    if (addressVerdict.verification !== 'spoofed' || claim.otherClients === undefined)
      return addressVerdict;
    const otherClients = await Promise.all(claim.otherClients.map((client) => nameOf(client, bot)));
    return judge({ ...claim, dns, otherClients }, lists);
  }

  async function nameOf({ address }: NamedClient, bot: Bot): Promise<NamedClient> {
    return { address, dns: await hostNames?.ask(address.text, bot) };
  }

  function checkSignature(request: Request): SignatureResult | undefined {
    const { bot, signature } = request;
    if (signature === null || bot.agent === undefined) return undefined;
    const result = verifySignature({ ...request, signature }, findKey);
    if (result.kind === 'invalid') return result;
    if (result.agent !== bot.agent) return { kind: 'invalid', detail: `it is by ${result.agent}` };
    // Whoever got a signed request on a site of their own can send it on, with its Host.
    if (ownSiteOf(signature.authority) !== undefined) return result;
    return { kind: 'invalid', detail: otherSite };
  }

  /** The bot whose signature a request carries. */
  function findSigner({ signature }: Pick<LogLine, 'signature'>): Bot | undefined {
    const host = signature === null ? undefined : signatureAgentHost(signature);
    return host === undefined ? undefined : signers.get(host);
  }
}

const otherSite =
  'it is for a site that is not among your own; if the site is yours, `overheard sites add DOMAIN` and `overheard hits verify` decide';
