import type { Bot } from '../bots/catalogue.ts';
import type { LogLine } from '../log-line.ts';
import { createRangeEvidence } from '../ranges/evidence.ts';
import type { FileVersion } from '../ranges/operator-files.ts';
import type { HostNames } from './host-names.ts';
import { judge, wantsDns } from './judge.ts';
import type { Claim, DnsAnswer, SignatureAnswer } from './judge.ts';
import { createKeyFinder } from './key-directory.ts';
import type { Verdict } from './verdict.ts';
import { signatureAgentHost, verifySignature } from './web-bot-auth.ts';

/** What is known of a request that claims to be a bot's. */
export type Request = Pick<LogLine, 'atMs' | 'method' | 'target' | 'signature'> & {
  readonly bot: Bot;
  /** The client's address in its one spelling. */
  readonly address: string | null;
  /** What its host name was found to be before. */
  readonly knownName?: DnsAnswer | undefined;
};

/** Judges single requests by all evidence there is. */
export interface Verifier {
  /** Judges by what is here. */
  judge(request: Request): Verdict;
  /** Whether host names could decide. */
  wantsNames(request: Request, verdict: Verdict): boolean;
  /** Judges again with host names, where they could decide; else gives the verdict back. */
  judgeWithNames(request: Request, verdict: Verdict): Promise<Verdict>;
  /** The bot whose signature a request carries. */
  findSigner(line: Pick<LogLine, 'signature'>): Bot | undefined;
}

/** Makes a verifier of the operators' files kept, and host names if wanted. */
export function createVerifier({
  files,
  bots,
  hostNames,
  clock,
}: {
  files: ReadonlyMap<string, readonly FileVersion[]>;
  bots: readonly Bot[];
  hostNames: HostNames | undefined;
  clock: () => number;
}): Verifier {
  const ranges = createRangeEvidence(files);
  const findKey = createKeyFinder(files);
  const signers = new Map(
    bots.flatMap((bot) => (bot.agent === undefined ? [] : [[bot.agent, bot]])),
  );
  return { judge: judgeRequest, wantsNames, judgeWithNames, findSigner };

  function judgeRequest(request: Request): Verdict {
    return judge(claimOf(request), ranges);
  }

  function wantsNames(request: Request, verdict: Verdict): boolean {
    return hostNames !== undefined && wantsDns(claimOf(request), verdict, clock());
  }

  async function judgeWithNames(request: Request, verdict: Verdict): Promise<Verdict> {
    const claim = claimOf(request);
    if (hostNames === undefined || claim.address === null) return verdict;
    if (!wantsNames(request, verdict)) return verdict;
    const dns = await hostNames.ask(claim.address, claim.bot);
    // What was found nearer to the request counts, unless there is proof by now.
    const isBetter = claim.dns === undefined || dns.kind === 'confirmed';
    return isBetter ? judge({ ...claim, dns }, ranges) : verdict;
  }

  function claimOf(request: Request): Claim {
    const { bot, address, atMs, knownName } = request;
    return { bot, address, atMs, dns: knownName, signature: answerOf(request) };
  }

  function answerOf({
    bot,
    atMs,
    method,
    target,
    signature,
  }: Request): SignatureAnswer | undefined {
    if (signature === null || bot.agent === undefined) return undefined;
    const answer = verifySignature({ atMs, method, target, signature }, findKey);
    if (answer.kind === 'invalid' || answer.agent === bot.agent) return answer;
    return { kind: 'invalid', detail: `it is by ${answer.agent}` };
  }

  function findSigner({ signature }: Pick<LogLine, 'signature'>): Bot | undefined {
    const host = signature === null ? undefined : signatureAgentHost(signature);
    return host === undefined ? undefined : signers.get(host);
  }
}
