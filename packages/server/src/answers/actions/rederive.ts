import type { Transaction } from 'kysely';
import { inChunks, pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { writeActions } from './derive.ts';
import { findGaps } from './find-gaps.ts';
import { parseParts, windowsAt } from '../../storage/queries/action-parts.ts';

/** How removing data changed the derived actions. */
export interface Rederivation {
  readonly removed: number;
  readonly opened: number;
  readonly updated: number;
}

const idsMax = 512;

/**
 * Removes data by `remove` and derives the actions again from the rest, in the same transaction.
 * Opens and updates actions, and removes those whose gap only the removed data showed, unless a
 * person has set their status, assigned them or noted something. In a workspace without derived actions it only removes the data.
 */
export async function rederive<Result>(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { nowMs, remove }: { nowMs: number; remove: () => Promise<Result> },
): Promise<{ readonly result: Result; readonly actions: Rederivation }> {
  const windowDays = await lastWindow(transaction, workspaceId);
  if (windowDays === undefined) {
    return { result: await remove(), actions: { removed: 0, opened: 0, updated: 0 } };
  }
  const windows = windowsAt(nowMs, windowDays);
  const visibleGaps = await findGaps(transaction, workspaceId, windows);
  const result = await remove();
  const { found, lookedAt } = await findGaps(transaction, workspaceId, windows);
  const left = new Set(found.map(({ id }) => id));
  const goneIds = visibleGaps.found.map(({ id }) => id).filter((id) => !left.has(id));
  const removed = await removeOpen(transaction, workspaceId, goneIds);
  const createdAt = new Date(nowMs).toISOString();
  const changes = await writeActions(transaction, workspaceId, { found, lookedAt, createdAt });
  return { result, actions: { removed, opened: changes.opened.length, updated: changes.updated } };
}

/** Length in days of the window that actions were last derived from. */
async function lastWindow(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<number | undefined> {
  const derived = await transaction
    .selectFrom('actions')
    .select('parts')
    .where('workspace_id', '=', workspaceId)
    .where('kind', 'is not', null)
    .execute();
  const windows = derived.flatMap(({ parts }) => parseParts(parts)?.days ?? []);
  const last = windows.toSorted((left, right) => (left.to < right.to ? 1 : -1))[0];
  if (last === undefined) return undefined;
  return (Date.parse(last.to) - Date.parse(last.from)) / dayMs + 1;
}

/** Removes derived actions that are open and that no person has ever moved, assigned or noted. */
async function removeOpen(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  let removed = 0n;
  for (const chunk of inChunks(ids, idsMax)) {
    const { numDeletedRows } = await transaction
      .deleteFrom('actions')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(chunk))
      .where('status', '=', 'open')
      .where('kind', 'is not', null)
      .where('assigned_to', 'is', null)
      .where('note', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('action_changes')
              .select('place')
              .where('action_changes.workspace_id', '=', workspaceId)
              .whereRef('action_changes.action_id', '=', 'actions.id'),
          ),
        ),
      )
      .executeTakeFirst();
    removed += numDeletedRows;
  }
  return Number(removed);
}
