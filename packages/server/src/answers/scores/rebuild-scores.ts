import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { rebuildRunCounts } from '../counts/rebuild-run-counts.ts';
import { countDays, deriveScores } from './recompute.ts';

/**
 * Derives the scores and report counts again from the stored answers and detections. Doing it
 * twice, or after deleting all of them, gives the same result. Imported scores stay.
 */
export async function rebuildScores(
  store: Store,
  workspaceId: string,
  { isDryRun = false }: { isDryRun?: boolean } = {},
) {
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
        /** Number of derived scores after the rebuild. */
        derived,
        /** Scores that did not match the runs. */
        changes,
        /** Imported scores on days that also have counted runs. They are left as they are. */
        imported: counted.length - derived,
      };
    },
  });
}

function dayKey({ date, engine }: { date: string; engine: string }): string {
  return `${date} ${engine}`;
}
