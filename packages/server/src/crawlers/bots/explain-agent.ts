import type { Kysely } from 'kysely';
import { CommandError } from '../../problems.ts';
import type { DataTables } from '../../storage/schema.ts';
import { formatAddress, parseAddress } from '../addresses/address.ts';
import { readFileVersions } from '../ranges/operator-files.ts';
import type { HostNames } from '../verify/host-names.ts';
import { throughProxy } from '../verify/many-operators.ts';
import type { Evidence, Verdict } from '../verify/verdict.ts';
import { createVerifier } from '../verify/verifier.ts';
import type { Bot } from './catalogue.ts';
import { createRecogniser } from './recognise.ts';

export interface ExplainedAgent {
  readonly bot: Bot | null;
  /** Null where no address was given, or the user agent is no bot's. */
  readonly verification: Verdict['verification'] | null;
  readonly evidence: Evidence | null;
}

/**
 * What a user agent claims to be, and what a hit from an address would be. Throws a `CommandError` (2)
 * for what is no address.
 */
export async function explainAgent(
  db: Kysely<DataTables> | undefined,
  {
    userAgent,
    address: text,
    atMs,
    bots,
    hostNames,
    clock,
    isProxied = () => false,
  }: {
    userAgent: string;
    address: string | undefined;
    /** When the request was, milliseconds since 1970. */
    atMs: number;
    bots: readonly Bot[];
    hostNames: HostNames | undefined;
    clock: () => number;
    /** Whether the workspace's logs show an address to be a proxy's. */
    isProxied?: ((address: string) => boolean) | undefined;
  },
): Promise<ExplainedAgent> {
  const parsed = text === undefined ? undefined : parseAddress(text);
  if (text !== undefined && parsed === undefined) {
    throw new CommandError(`"${text}" is no IP address.`, { exitCode: 2 });
  }
  const bot = createRecogniser(bots)(userAgent);
  if (bot === undefined || parsed === undefined || db === undefined) {
    return { bot: bot ?? null, verification: null, evidence: null };
  }
  const verifier = createVerifier({ files: await readFileVersions(db), bots, hostNames, clock });
  const request = {
    bot,
    address: formatAddress(parsed),
    atMs,
    method: 'GET',
    target: '/',
    signature: null,
  };
  const own = await verifier.judgeWithNames(request, verifier.judge(request));
  return { bot, ...(isProxied(request.address) ? throughProxy(own) : own) };
}
