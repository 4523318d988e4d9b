import type { Kysely } from 'kysely';
import { CommandError } from '../../problems.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseAddress } from '../address.ts';
import type { Bot } from '../bots/catalogue.ts';
import { createRecogniser } from '../bots/recognise.ts';
import { readFileVersions } from '../operators/file-versions.ts';
import type { HostNames } from '../verify/host-names.ts';
import type { Evidence, Verdict } from '../verify/verdict.ts';
import { createVerifier } from '../verify/verifier.ts';

export interface ExplainedAgent {
  readonly bot: Bot | null;
  /** Null where no address was given, or the user agent is no bot's. */
  readonly verification: Verdict['verification'] | null;
  readonly evidence: Evidence | null;
}

/**
 * What a user agent claims to be, and what a hit from an address would be by itself. Throws a
 * `CommandError` (2) for an address that is none.
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
  }: {
    userAgent: string;
    address: string | undefined;
    /** When the request was, milliseconds since 1970. */
    atMs: number;
    bots: readonly Bot[];
    hostNames: HostNames | undefined;
    clock: () => number;
  },
): Promise<ExplainedAgent> {
  const address = text === undefined ? undefined : parseAddress(text);
  if (text !== undefined && address === undefined) {
    throw new CommandError(`"${text}" is not an IP address.`, { exitCode: 2 });
  }
  const bot = createRecogniser(bots)(userAgent);
  if (bot === undefined || address === undefined || db === undefined) {
    return { bot: bot ?? null, verification: null, evidence: null };
  }
  const verifier = createVerifier({ files: await readFileVersions(db), bots, hostNames, clock });
  const request = { bot, address, atMs, method: 'GET', target: '/', userAgent, signature: null };
  return { bot, ...(await verifier.judgeWithNames(request, verifier.judge(request))) };
}
