import { setTimeout } from 'node:timers/promises';
import { isRefusal } from '../refusals.ts';
import type { Refusal } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { collect } from './collect.ts';
import type { CollectOptions } from './collect.ts';

/** How often a worker looks for readings that have become due. */
const lookEveryMs = 30_000;

export type WorkOptions = Omit<CollectOptions, 'workspaceId' | 'engines' | 'isNow' | 'onProgress'>;

/** What a worker reports. A refusal is reported once, until it changes. */
export type WorkEvent = { readonly workspace?: string } & (
  | { readonly workspaceId: string; readonly counts: AskedCounts }
  | { readonly refusal: Pick<Refusal, 'code' | 'facts'> }
  | { readonly error: unknown }
);

interface AskedCounts {
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly costMicros: number;
  readonly runs: number;
}

/**
 * Asks the due readings of every workspace that has a budget, until the signal aborts. Then waits
 * for the open questions. A workspace that must wait for its engine does not delay the others.
 */
export async function runWorker(
  store: Store,
  options: WorkOptions & { readonly onEvent: (event: WorkEvent) => void },
): Promise<void> {
  const { signal, onEvent } = options;
  const passes = new Map<string, Promise<void>>();
  const reported = new Map<string, string>();
  while (!signal.aborted) {
    for (const workspace of await listWorkspaces(store).catch(noWorkspaces)) {
      if (!passes.has(workspace.id)) passes.set(workspace.id, pass(workspace));
    }
    await setTimeout(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(passes.values());

  function noWorkspaces(error: unknown): AskingWorkspace[] {
    onEvent({ error: store.mapFailure(error) });
    return [];
  }

  async function pass({ id: workspaceId, slug: workspace }: AskingWorkspace): Promise<void> {
    try {
      const {
        leftOut,
        isOverBudget: _,
        ...counts
      } = await collect(store, {
        ...options,
        workspaceId,
        engines: [],
        isNow: false,
      });
      if (counts.done + counts.failed + counts.unknown + counts.runs > 0)
        onEvent({ workspace, workspaceId, counts });
      refuse(workspace, leftOut);
    } catch (thrown) {
      const error = store.mapFailure(thrown);
      if (isRefusal(error)) refuse(workspace, [error]);
      else onEvent({ workspace, error });
    } finally {
      passes.delete(workspaceId);
    }
  }

  function refuse(workspace: string, refusals: readonly Refusal[]): void {
    const plain = refusals.map(({ code, facts }) => ({ code, facts }));
    const text = JSON.stringify(plain);
    if (reported.get(workspace) === text) return;
    reported.set(workspace, text);
    for (const refusal of plain) onEvent({ workspace, refusal });
  }
}

interface AskingWorkspace {
  readonly id: string;
  readonly slug: string;
}

/** The workspaces that have a budget and a schedule. */
async function listWorkspaces(store: Store): Promise<AskingWorkspace[]> {
  const ledger = await store.ledger();
  if (ledger === undefined) return [];
  const allowances = await ledger.db
    .selectFrom('allowances')
    .select('workspace_id')
    .where('sweeps', '>', 0)
    .execute();
  const asking = new Set(allowances.map((row) => row.workspace_id));
  const all = await store.reader
    .selectFrom('workspaces')
    .select(['id', 'slug'])
    .where('archived_at', 'is', null)
    .execute();
  return all.filter(({ id }) => asking.has(id));
}
