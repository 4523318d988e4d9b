import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { parseParts } from './parts.ts';
import { actionStatuses, listActions } from './stored-actions.ts';
import type { ActionStatus, StoredAction } from './stored-actions.ts';

/** An action as a card or a line of a list. */
export type GapCard = Omit<StoredAction, 'parts'> & {
  /**
   * The engines whose runs show the gap. Empty if the action was imported or concerns no engine.
   */
  readonly engines: readonly string[];
};

/** The actions of one status. */
export interface GapColumn {
  readonly status: ActionStatus;
  readonly total: number;
  /** Most impact first. */
  readonly gaps: readonly GapCard[];
}

export interface GapQuery {
  /** Only actions of this status. Undefined means every status. */
  readonly status?: ActionStatus | undefined;
  readonly engine?: string | undefined;
  readonly priority?: StoredAction['priority'] | undefined;
  /** Most actions to return of each column. */
  readonly rowsMax: number;
  /** How many actions of each column to leave out. */
  readonly skip?: number | undefined;
}

/** The actions of a workspace by status. */
export async function readGapBoard(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  { status, engine, priority, rowsMax, skip = 0 }: GapQuery,
): Promise<GapColumn[]> {
  const all = (await listActions(db, workspaceId, { status })).map(toGap);
  const cards = all.filter(
    (gap) =>
      (engine === undefined || gap.engines.includes(engine)) &&
      (priority === undefined || gap.priority === priority),
  );
  return actionStatuses
    .filter((each) => status === undefined || each === status)
    .map((each) => {
      const gaps = cards.filter((gap) => gap.status === each);
      return { status: each, total: gaps.length, gaps: gaps.slice(skip, skip + rowsMax) };
    });
}

function toGap({ parts, ...action }: StoredAction): GapCard {
  return { ...action, engines: parseParts(parts)?.filter.engines ?? [] };
}
