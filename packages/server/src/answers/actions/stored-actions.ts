import { actionStatus } from '@overheard/contract';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { findId } from '../../storage/queries/find-id.ts';
import { actionColumns } from '../../storage/queries/list-actions.ts';
import type { ActionStatus, StoredAction } from '../../storage/queries/list-actions.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';

export const actionStatuses: readonly ActionStatus[] = actionStatus.options;

/** Most characters of a note. */
export const noteLengthMax = 2000;

/** A change of status that a person made. */
export interface StatusChange {
  readonly status: ActionStatus;
  /** Null if it is not known. */
  readonly before: ActionStatus | null;
  readonly changed_at: string;
  /** The id of the user; null if the command line did it. */
  readonly changed_by: string | null;
}

/**
 * Reads one action by its id or the beginning of its id, with the changes of its status by people,
 * oldest first. Throws a `Refusal` if there is no such action.
 */
export async function findAction(
  db: Kysely<DataTables>,
  workspaceId: string,
  id: string,
): Promise<{ action: StoredAction; changes: StatusChange[] }> {
  const actionId = await findId(db, { table: 'actions', workspaceId, word: id });
  const action = await db
    .selectFrom('actions')
    .select(actionColumns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', actionId ?? '')
    .executeTakeFirst();
  if (action === undefined) throw new Refusal('action_not_found', { id });
  const changes = await db
    .selectFrom('action_changes')
    .select(['status', 'before', 'changed_at', 'changed_by'])
    .where('workspace_id', '=', workspaceId)
    .where('action_id', '=', action.id)
    .orderBy('place')
    .execute();
  return {
    action,
    changes: changes.map((change, index) => ({
      ...change,
      before: change.before ?? changes[index - 1]?.status ?? null,
    })),
  };
}

/** How a person wants an action to be. What is undefined stays as it is. */
interface ActionWish {
  readonly id: string;
  readonly status?: ActionStatus | undefined;
  /**
   * The status that the person saw. If the action has a different one by now, nothing is changed.
   */
  readonly seen?: ActionStatus | undefined;
  /** The id of the user who is to fix it; null for nobody. */
  readonly assignedTo?: string | null | undefined;
  /** Empty removes the note. */
  readonly note?: string | undefined;
  /** The note that the person saw; empty for none. If it is different by now, nothing is changed. */
  readonly seenNote?: string | undefined;
  /** The id of the user; null for the command line. */
  readonly userId?: string | null;
  readonly clock: () => number;
}

/** An action before and after a change. */
export interface ActionChange {
  readonly hasChanged: boolean;
  readonly before: StoredAction;
  readonly after: StoredAction;
  /** Earlier changes of status. */
  readonly changes: readonly StatusChange[];
}

/**
 * Changes the status of an action, who is to fix it, or its note. A change of status is kept with its
 * time and its author; any but a dismissal removes the measured result. Throws a `Refusal` if someone
 * else has changed the status or the note that the person saw, and for a note that is too long or has
 * control characters.
 */
export async function changeAction(
  store: Store,
  workspaceId: string,
  { id, seen, seenNote, userId = null, clock, ...wish }: ActionWish,
): Promise<ActionChange> {
  const note = wish.note === undefined ? undefined : parseNote(wish.note);
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const { action: before, changes } = await findAction(transaction, workspaceId, id);
    const { status = before.status, assignedTo: assigned_to = before.assigned_to } = wish;
    const isMoved = status !== before.status;
    if (isMoved && seen !== undefined && seen !== before.status) {
      throw new Refusal('action_moved', { seen, before: before.status });
    }
    const isNoted = note !== undefined && note !== before.note;
    if (isNoted && seenNote !== undefined && parseNote(seenNote) !== before.note) {
      throw new Refusal('action_note_changed', { note: before.note });
    }
    const after: StoredAction = {
      ...before,
      status,
      sov_result: isMoved && status !== 'dismissed' ? null : before.sov_result,
      assigned_to,
      note: note === undefined ? before.note : note,
    };
    const hasChanged = isMoved || isNoted || assigned_to !== before.assigned_to;
    if (hasChanged) {
      await transaction
        .updateTable('actions')
        .set({ status, sov_result: after.sov_result, assigned_to, note: after.note })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', before.id)
        .execute();
    }
    if (isMoved) {
      const changed_at = new Date(clock()).toISOString();
      await transaction
        .insertInto('action_changes')
        .values({
          workspace_id: workspaceId,
          action_id: before.id,
          place: changes.length + 1,
          status,
          before: before.status,
          changed_at,
          changed_by: userId,
        })
        .execute();
    }
    return { hasChanged, before, after, changes };
  });
}

/** A note as it is stored: trimmed, with line feeds alone between its lines; null if it is empty. */
function parseNote(text: string): string | null {
  const note = text.replaceAll(/\r\n?/g, '\n').normalize('NFC').trim();
  const isText = note.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(note);
  if (!isText || Array.from(note).length > noteLengthMax) {
    throw new Refusal('action_note_malformed', { lengthMax: noteLengthMax });
  }
  return note === '' ? null : note;
}
