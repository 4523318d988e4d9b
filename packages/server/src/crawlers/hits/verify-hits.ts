import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Bot } from '../bots/catalogue.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { readFileVersions } from '../ranges/operator-files.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { HostNames } from '../verify/host-names.ts';
import { judgeTogether } from '../verify/many-operators.ts';
import type { Verdict } from '../verify/verdict.ts';
import { createVerifier } from '../verify/verifier.ts';
import type { Verifier } from '../verify/verifier.ts';
import { ownVerdict, readSigned } from './hit.ts';
import type { Hit } from './hit.ts';
import { createIdentity } from './identity.ts';
import { updateVerdicts } from './judge-neighbours.ts';
import { readProxyKeys } from './proxy-addresses.ts';

/** Hits of one bot whose verdict went from one to another for one reason. */
export interface VerdictChange {
  readonly bot: string;
  readonly from: Hit['verification'];
  readonly to: Hit['verification'];
  readonly reason: string;
  readonly hits: number;
}

export interface VerifiedHits {
  readonly judged: number;
  /** Hits that were read from a log, whose address has been pruned. */
  readonly withoutAddress: number;
  readonly changed: readonly VerdictChange[];
}

/** Hits judged in one transaction: all of these addresses. */
const addressesMax = 50;

/**
 * Judges again every hit whose address is still kept, by the files that are here now. Hits of one
 * address are judged together and written in one transaction.
 */
export async function verifyHits(
  store: Store,
  workspaceId: string,
  {
    hostNames,
    clock,
    signal,
  }: { hostNames: HostNames | undefined; clock: () => number; signal: AbortSignal },
): Promise<VerifiedHits> {
  const bots = await readWorkspaceBots(store.writer, workspaceId);
  const verifier = await loadVerifier(store, workspaceId, { bots, hostNames, clock });
  const addresses = await selectAddresses(store, workspaceId);
  const changes = new Map<string, VerdictChange>();
  let judged = 0;
  for (let start = 0; start < addresses.length && !signal.aborted; start += addressesMax) {
    const slice = addresses.slice(start, start + addressesMax);
    const verdicts = await judgeAddresses(store, workspaceId, { addresses: slice, bots, verifier });
    judged += verdicts.length;
    await writeWorkspace(store, workspaceId, async (transaction) => {
      const changed = await updateVerdicts(transaction, workspaceId, verdicts);
      for (const { row, verdict } of changed) {
        if (row.verification !== verdict.verification) count(changes, row, verdict);
      }
      return { hasChanged: changed.length > 0 };
    });
  }
  return {
    judged,
    withoutAddress: await countPruned(store, workspaceId),
    changed: [...changes.entries()]
      .toSorted(
        ([left, { hits: fewer }], [right, { hits }]) => hits - fewer || (left < right ? -1 : 1),
      )
      .map(([, change]) => change),
  };
}

async function loadVerifier(
  store: Store,
  workspaceId: string,
  {
    bots,
    hostNames,
    clock,
  }: { bots: readonly Bot[]; hostNames: HostNames | undefined; clock: () => number },
): Promise<Verifier> {
  const { secret } = await readCrawlerSettings(store, workspaceId);
  return createVerifier({
    files: await readFileVersions(store.writer),
    bots,
    identity: createIdentity(secret),
    proxyKeys: await readProxyKeys(store.writer, workspaceId),
    hostNames,
    clock,
  });
}

async function judgeAddresses(
  store: Store,
  workspaceId: string,
  {
    addresses,
    bots,
    verifier,
  }: { addresses: readonly string[]; bots: readonly Bot[]; verifier: Verifier },
): Promise<Array<{ row: Hit; verdict: Verdict }>> {
  const byToken = new Map(bots.map((bot) => [bot.token, bot]));
  const rows = await store.writer
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('address', 'in', addresses)
    .execute();
  const byAddress = new Map<string, Array<{ row: Hit; own: Verdict }>>();
  for (const row of rows) {
    const bot = byToken.get(row.bot_name);
    const before = ownVerdict(row);
    // Of a bot that the catalogue has dropped the old verdict stays.
    const own = bot === undefined ? before : await judgeRow(row, bot, verifier);
    if (own === undefined || row.address === null) continue;
    byAddress.set(row.address, [...(byAddress.get(row.address) ?? []), { row, own }]);
  }
  return [...byAddress.values()].flatMap((claims) => {
    const verdicts = judgeTogether(
      claims.map(({ row, own }) => ({
        id: row.id,
        operator: row.bot_company,
        atMs: Date.parse(row.hit_at),
        own,
      })),
    );
    return claims.flatMap(({ row }, index) => {
      const verdict = verdicts[index];
      return verdict === undefined ? [] : [{ row, verdict }];
    });
  });
}

async function judgeRow(row: Hit, bot: Bot, verifier: Verifier): Promise<Verdict> {
  const signed = readSigned(row.signature);
  const request = {
    bot,
    address: row.address,
    atMs: Date.parse(row.hit_at),
    method: row.method,
    target: signed?.target ?? row.path,
    signature: signed,
  };
  return verifier.judgeWithNames(request, verifier.judge(request));
}

async function selectAddresses(store: Store, workspaceId: string): Promise<readonly string[]> {
  const rows = await store.writer
    .selectFrom('hits')
    .select('address')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is not', null)
    .orderBy('address')
    .execute();
  return rows.flatMap(({ address }) => address ?? []);
}

async function countPruned(store: Store, workspaceId: string): Promise<number> {
  const row = await store.writer
    .selectFrom('hits')
    .select(({ fn }) => fn.countAll<number>().as('hits'))
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is', null)
    .where('address_group', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.hits;
}

function count(changes: Map<string, VerdictChange>, row: Hit, verdict: Verdict): void {
  const { bot_name: bot, verification: from } = row;
  const { verification: to, evidence } = verdict;
  const key = [bot, from, to, evidence.reason].join(' ');
  const hits = (changes.get(key)?.hits ?? 0) + 1;
  changes.set(key, { bot, from, to, reason: evidence.reason, hits });
}
