import { parseAddress } from '../../values/addresses/address.ts';
import type { Store } from '../../storage/store.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { readFileVersions } from '../operators/file-versions.ts';
import { nameFoundBefore } from '../verify/host-names.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createVerifier } from '../verify/verifier.ts';
import { ownEvidence, ownVerdict, readHeaders, storedVerdict } from './hit.ts';
import type { Hit, StoredVerdict } from './hit.ts';

/** Makes a judge of a workspace's single hits, by the lists stored now. It gives imported hits no verdict. */
export async function createStoredJudge(
  store: Store,
  workspaceId: string,
  { hostNames, clock }: { hostNames: HostNames | undefined; clock: () => number },
) {
  const bots = await readWorkspaceBots(store.writer, workspaceId);
  const files = await readFileVersions(store.writer);
  const verifier = createVerifier({ files, bots, hostNames, clock });
  const byToken = new Map(bots.map((bot) => [bot.token, bot]));

  return async function judgeStored(row: Hit): Promise<StoredVerdict | undefined> {
    const before = ownVerdict(row);
    const bot = byToken.get(row.bot_name);
    // A bot that the catalogue has dropped keeps its old verdict.
    if (bot === undefined || before === undefined) return before;
    const { signed, forwarded = [], isProxy } = readHeaders(row.signature);
    const request = {
      bot,
      address: parseAddress(row.address ?? '') ?? null,
      isProxy,
      otherClients: forwarded.flatMap((text) => parseAddress(text) ?? []),
      atMs: Date.parse(row.hit_at),
      method: row.method,
      target: signed?.target ?? row.path,
      userAgent: row.user_agent ?? '',
      signature: signed ?? null,
      knownName: nameFoundBefore(ownEvidence(before.evidence), bot),
    };
    return storedVerdict(await verifier.judge(request));
  };
}
