import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { windowMs } from '../verify/many-operators.ts';

/** Hits of a stretch of time, from its beginning to just before its end; without an end, to the last. */
export interface TimeSlice {
  /** As hits have it, `2026-11-20T12:34:56.789Z`. */
  readonly from: string;
  readonly to: string | undefined;
}

/**
 * Cuts the time in which a workspace has hits with an address into slices of some `hitsMax` of them. None
 * is shorter than the ten minutes in which neighbours are looked for on both its sides: however dense
 * the hits are, each is a neighbour of the slices next to its own and, at their very ends, of one more.
 */
export async function* timeSlices(
  db: Kysely<DataTables>,
  workspaceId: string,
  { hitsMax }: { hitsMax: number },
): AsyncGenerator<TimeSlice> {
  let from = await timeOf({ from: '', skip: 0 });
  while (from !== undefined) {
    const next = await timeOf({ from, skip: hitsMax });
    const afterWindow = shifted(from, windowMs);
    const to = next !== undefined && next < afterWindow ? afterWindow : next;
    yield { from, to };
    from = to === undefined ? undefined : await timeOf({ from: to, skip: 0 });
  }

  async function timeOf({ from: start, skip }: { from: string; skip: number }) {
    const row = await db
      .selectFrom('hits')
      .select('hit_at')
      .where('workspace_id', '=', workspaceId)
      .where('address', 'is not', null)
      .where('hit_at', '>=', start)
      .orderBy('hit_at')
      .limit(1)
      .offset(skip)
      .executeTakeFirst();
    return row?.hit_at;
  }
}

/** Whether a moment is in a slice. */
export function isIn({ from, to }: TimeSlice, hitAt: string): boolean {
  return hitAt >= from && (to === undefined || hitAt < to);
}

/** A slice with the neighbours of its hits on both sides. `to` is its last moment here. */
export function withNeighbours({ from, to }: TimeSlice): TimeSlice {
  return {
    from: shifted(from, -windowMs),
    to: to === undefined ? undefined : shifted(to, windowMs),
  };
}

function shifted(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
