import { setImmediate as turn } from 'node:timers/promises';
import { parseAddress } from '../../values/addresses/address.ts';
import type { HitChange } from '../../storage/counts/hit-changes.ts';
import type { Store } from '../../storage/store.ts';
import { readOwnSites } from '../../storage/queries/read-own-sites.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { readFileVersions } from '../operators/file-versions.ts';
import { nameFoundBefore } from '../verify/host-names.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createVerifier } from '../verify/verifier.ts';
import { createChangeCount } from './change-count.ts';
import type { VerdictChange } from './change-count.ts';
import {
  excuseUnknown,
  ownEvidence,
  ownVerdict as ownVerdictOf,
  readHeaders,
  shownEvidence,
  storedVerdict,
  withhold,
} from './hit.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import { isOf, judgedAgain } from './reasons.ts';
import { queueHits, recordChanges } from './record-changes.ts';
import { settleDays } from './settle-days.ts';

export interface VerifyOptions {
  readonly hostNames: HostNames | undefined;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** Judge only hits whose verdict a newer list may change. */
  readonly isUndecidedOnly?: boolean;
  /** Judge only hits before this moment. */
  readonly before?: string | undefined;
  /** Hits judged in one transaction. */
  readonly sliceHits?: number;
  /** Called after each slice with the number of hits judged so far. */
  readonly onJudged?: (hits: number) => void;
}

/**
 * Judges stored hits again by the lists stored now, if their address is still known. Takes one
 * transaction a slice, in order of time, and keeps what was judged when the signal aborts. A log that
 * is read meanwhile keeps its verdicts. Also counts the hits whose address has been pruned.
 */
export async function verifyHits(store: Store, workspaceId: string, options: VerifyOptions) {
  const { signal, onJudged = () => {} } = options;
  const judge = await createStoredJudge(store, workspaceId, options);
  const count = createChangeCount();
  let judged = 0;
  let isStopped = false;
  for (let after: HitPlace | undefined = { hit_at: '', id: '' }; after !== undefined;) {
    // SQLite answers without a turn of the event loop, which a signal needs.
    await turn();
    const rows: readonly Hit[] = await selectSlice(store, workspaceId, after, options);
    isStopped = signal.aborted && rows.length > 0;
    if (isStopped) break;
    const hits = await Promise.all(
      rows.map(async (row) => ({ row, ownVerdict: await judge(row) })),
    );
    const changes = await writeSlice(store, workspaceId, hits);
    for (const change of changes) count.add(change);
    judged += rows.length;
    after = rows.at(-1);
    if (after !== undefined) onJudged(judged);
  }
  await settleDays(store, workspaceId, { onChange: count.add });
  const withoutAddress = await countPruned(store, workspaceId);
  return { isStopped, judged, withoutAddress, changed: count.list() };
}

/** Makes a judge of a workspace's single hits, by the lists stored now. It gives imported hits no verdict. */
async function createStoredJudge(
  store: Store,
  workspaceId: string,
  { hostNames, clock }: VerifyOptions,
) {
  const bots = await readWorkspaceBots(store.writer, workspaceId);
  const files = await readFileVersions(store.writer);
  const ownSites = await readOwnSites(store.writer, workspaceId);
  const verifier = createVerifier({ files, bots, ownSites, hostNames, clock });
  const byToken = new Map(bots.map((bot) => [bot.token, bot]));

  return async function judgeStored(row: Hit): Promise<StoredVerdict | undefined> {
    const before = ownVerdictOf(row);
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
    return excuseUnknown(storedVerdict(await verifier.judge(request)), row.network);
  };
}

type HitPlace = Pick<Hit, 'hit_at' | 'id'>;

function selectSlice(
  { writer }: Store,
  workspaceId: string,
  after: HitPlace,
  { isUndecidedOnly = false, before, sliceHits = 1000 }: VerifyOptions,
): Promise<readonly Hit[]> {
  return writer
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is not', null)
    .where('hit_at', '>=', after.hit_at)
    .where((where) => where.or([where('hit_at', '>', after.hit_at), where('id', '<', after.id)]))
    .$if(before !== undefined, (query) => query.where('hit_at', '<', before ?? ''))
    .$if(isUndecidedOnly, (query) => query.where(isOf(...judgedAgain)))
    .orderBy('hit_at')
    .orderBy('id', 'desc')
    .limit(sliceHits)
    .execute();
}

/** Writes the verdicts that changed, unless another process changed their rows. Returns the changes. */
async function writeSlice(
  store: Store,
  workspaceId: string,
  hits: ReadonlyArray<{ row: Hit; ownVerdict: StoredVerdict | undefined }>,
): Promise<readonly VerdictChange[]> {
  const result = await writeWorkspace(store, workspaceId, async (transaction) => {
    const changes: VerdictChange[] = [];
    const changed: Array<HitChange<Hit>> = [];
    for (const { row, ownVerdict } of hits) {
      if (ownVerdict === undefined) continue;
      const verdict = writtenVerdict(row, ownVerdict);
      const { evidence, overruled_by: by } = row;
      if (evidence === verdict.evidence && by === verdict.overruled_by) continue;
      const { numUpdatedRows } = await transaction
        .updateTable('hits')
        .set(verdict)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .where('evidence', '=', evidence)
        .where('overruled_by', 'is not distinct from', by)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      const [from, to] = [row.verification, verdict.verification];
      const reason = shownEvidence(verdict)?.reason ?? '';
      changes.push({ bot: row.bot_name, from, to, reason, hits: 1 });
      changed.push({ before: row, after: { ...row, ...verdict } });
    }
    await recordChanges(store, transaction, workspaceId, changed);
    await queueHits(
      store,
      transaction,
      workspaceId,
      changed.map(({ after }) => after),
    );
    return { hasChanged: changes.length > 0, changes };
  });
  return result.changes;
}

/** The verdict to write before its day is settled: a hit that is still refuted keeps what overrules it. */
function writtenVerdict(
  { verification, overruled_by: by }: Hit,
  ownVerdict: StoredVerdict,
): StoredVerdict & Pick<Hit, 'overruled_by'> {
  const verdict = withhold(ownVerdict);
  if (verdict.overruled_by === null) return verdict;
  if (verification === 'spoofed') return { ...ownVerdict, overruled_by: null };
  return { ...verdict, overruled_by: by ?? verdict.overruled_by };
}

async function countPruned(store: Store, workspaceId: string): Promise<number> {
  const row = await store.writer
    .selectFrom('hits')
    .select(({ fn }) => fn.countAll<number>().as('hits'))
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is', null)
    .where('evidence', 'is not', null)
    .where(isOf('no_address'), '=', false)
    .executeTakeFirstOrThrow();
  return row.hits;
}

/**
 * Judges hits of every workspace again if a newer list may change their verdict. Returns how many
 * verdicts changed.
 */
export async function judgeUndecided(
  store: Store,
  options: Pick<VerifyOptions, 'hostNames' | 'clock' | 'signal'>,
): Promise<number> {
  const workspaces = await store.writer
    .selectFrom('crawler_settings')
    .select('workspace_id')
    .execute();
  let hits = 0;
  for (const { workspace_id: workspaceId } of workspaces) {
    const { changed } = await verifyHits(store, workspaceId, { ...options, isUndecidedOnly: true });
    for (const change of changed) hits += change.hits;
  }
  return hits;
}
