import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { rederive } from '../actions/rederive.ts';
import type { Rederivation } from '../actions/rederive.ts';
import type { ImportOptions } from './import-answers.ts';
import { readAnswers } from './read-answers.ts';
import { replaceStoredAnswers } from './replace-stored-answers.ts';
import type { Replacement } from './replace-stored-answers.ts';
import { stageAnswers } from './stage-answers.ts';

/**
 * Replaces stored answers with a new interpretation of the same responses, completely or not at
 * all. Runs, detections, counts, scores and derived actions change in the same transaction. Only
 * for rows of readings: any other file is refused if a stored id has different content. Leaves out
 * rows that cannot be imported.
 */
export async function replaceAnswers(
  store: Store,
  options: Pick<ImportOptions, 'workspaceId' | 'source' | 'isDryRun' | 'signal' | 'clock'> & {
    readonly examplesMax: number;
  },
): Promise<Replacement & { readonly actions: Rederivation }> {
  const { workspaceId, source, isDryRun = false, signal, examplesMax, clock } = options;
  const file = stageAnswers();
  try {
    const how = { format: 'ndjson', isReadings: true, acceptsNewEngines: true } as const;
    await readAnswers(store, file, { ...options, ...how, leavesOut: true });
    file.seal();
    return await writeOrTry(store, workspaceId, {
      isDryRun,
      write: async (transaction) => {
        const { result, actions } = await rederive(transaction, workspaceId, {
          nowMs: clock(),
          remove: () =>
            replaceStoredAnswers(store, transaction, { workspaceId, file, examplesMax, signal }),
        });
        return { ...result, actions };
      },
    });
  } finally {
    file.close();
    source.stream.destroy();
  }
}
