import { noteRestore } from '../../storage/ledger-home.ts';
import type { Store } from '../../storage/store.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { requireLedger } from './require-ledger.ts';

const silentDays = 2;

/** Since when every server of the installation asks by itself; null if it does not. */
export async function readAskingSwitch(store: Store): Promise<string | null> {
  const ledger = await store.ledger();
  const row = await ledger?.db.selectFrom('ledger_home').select('asks_since').executeTakeFirst();
  return row?.asks_since ?? null;
}

/**
 * Switches on or off whether servers ask by themselves what is due. Returns whether that changed.
 * Throws a `Refusal` if no engine was ever set up.
 */
export async function setAskingSwitch(
  store: Store,
  { isOn, clock }: { isOn: boolean; clock: () => number },
): Promise<boolean> {
  const ledger = await requireLedger(store);
  const at = new Date(clock()).toISOString();
  await noteRestore(ledger, { at });
  const { numUpdatedRows } = await ledger.write((transaction) =>
    transaction
      .updateTable('ledger_home')
      .set({ asks_since: isOn ? at : null })
      .where('asks_since', isOn ? 'is' : 'is not', null)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** What says whether servers ask the prompts of a workspace, and when it last got an answer. */
export interface AskingFacts {
  /** Since when servers ask by themselves; null if they do not. */
  readonly since: string | null;
  readonly sweeps: number;
  /** How many prompts are switched on. */
  readonly promptsOn: number;
  readonly lastAnswerAt: string | null;
}

/** Whether servers ask the prompts of a workspace by themselves. */
export function isAsked({ since, sweeps, promptsOn }: Omit<AskingFacts, 'lastAnswerAt'>): boolean {
  return since !== null && sweeps > 0 && promptsOn > 0;
}

/** Since when a workspace that is asked has got no answer; undefined if that is under 2 days ago. */
export async function readSilence(
  store: Store,
  workspaceId: string,
  { facts, nowMs }: { facts: AskingFacts; nowMs: number },
): Promise<string | undefined> {
  // Asking may have begun after the last answer, which can be an old imported one.
  const moments = [facts.since ?? '', facts.lastAnswerAt ?? ''];
  const isSilent = (since: string) => nowMs - Date.parse(since) >= silentDays * dayMs;
  if (!isAsked(facts) || !isSilent(latest(moments))) return undefined;
  const ledger = await store.ledger();
  const first = await ledger?.db
    .selectFrom('readings')
    .select('due_at')
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  // The switch is the installation's, and may be older than the first question of this workspace.
  if (first === undefined) return undefined;
  const since = latest([...moments, first.due_at]);
  return isSilent(since) ? since : undefined;
}

function latest(moments: readonly string[]): string {
  return moments.toSorted().at(-1) ?? '';
}
