import type { Stance } from '@overheard/contract';
import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';

/** How a person judges an answer's subject. */
export interface StanceLabel {
  readonly runId: string;
  readonly subjectId: string;
  readonly stance: Stance;
}

/**
 * Stores labels, which replace earlier ones, all or none. Throws a `Refusal` if one is of a subject
 * and an answer that were not judged.
 */
export async function writeLabels(
  store: Store,
  workspaceId: string,
  labels: readonly StanceLabel[],
  { clock, userId }: { clock: () => number; userId: string | null },
): Promise<void> {
  const at = new Date(clock()).toISOString();
  await writeWorkspace(store, workspaceId, async (transaction) => {
    for (const { runId, subjectId, stance } of labels) {
      const judged = await transaction
        .selectFrom('stances')
        .select('run_id')
        .where('workspace_id', '=', workspaceId)
        .where('run_id', '=', runId)
        .where('subject_id', '=', subjectId)
        .executeTakeFirst();
      if (judged === undefined) throw new Refusal('stance_not_judged', { runId, subjectId });
      const label = { stance, labelled_at: at, labelled_by: userId };
      await transaction
        .insertInto('stance_labels')
        .values({ workspace_id: workspaceId, run_id: runId, subject_id: subjectId, ...label })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'run_id', 'subject_id']).doUpdateSet(label),
        )
        .execute();
    }
    return { hasChanged: labels.length > 0 };
  });
}
