import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { rebuildRunCounts } from '../rollups/rebuild.ts';
import { countDays } from './count.ts';
import { deriveScores } from './recompute.ts';
import type { ScoreChange } from './recompute.ts';

/** What rebuilding did, or would do. */
export interface Rebuild {
  readonly hasChanged: boolean;
  /** Derived scores that there are now. */
  readonly derived: number;
  /** Those that were not what the runs say. */
  readonly changes: readonly ScoreChange[];
  /** Imported scores that stand where runs are counted: they are left as they are. */
  readonly imported: number;
}

/**
 * Derives the scores and the counts of reports again, from the stored answers and detections. Rebuilding
 * twice, or from nothing, gives the same. Imported scores are not touched.
 */
export async function rebuildScores(
  store: Store,
  workspaceId: string,
  { isDryRun = false }: { isDryRun?: boolean } = {},
): Promise<Rebuild> {
  return writeOrTry(store, workspaceId, {
    isDryRun,
    write: async (transaction) => {
      const hasOtherCounts = await rebuildRunCounts(transaction, workspaceId);
      const counted = await countDays(transaction, workspaceId, {});
      const stored = await transaction
        .selectFrom('scores')
        .select(['date', 'engine', 'origin'])
        .where('workspace_id', '=', workspaceId)
        .execute();
      const imported = new Set(stored.filter(({ origin }) => origin === 'imported').map(dayKey));
      const days = [...counted, ...stored].filter((day) => !imported.has(dayKey(day)));
      const changes = await deriveScores(transaction, workspaceId, days);
      const derived = counted.filter((day) => !imported.has(dayKey(day))).length;
      return {
        hasChanged: hasOtherCounts || changes.length > 0,
        derived,
        changes,
        imported: counted.length - derived,
      };
    },
  });
}

function dayKey({ date, engine }: { date: string; engine: string }): string {
  return `${date} ${engine}`;
}
