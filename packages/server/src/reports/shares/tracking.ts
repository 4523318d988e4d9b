import { z } from 'zod';
import type { ReportSource } from '../report-source.ts';
import type { GroupTally } from './tally.ts';

/** Which subjects were tracked when the runs were judged. */
export type Tracking = Awaited<ReturnType<typeof readTracking>>;

const subjectList = z.array(z.tuple([z.string(), z.string()]));

/** Reads the sets of subjects that have judged runs. */
export async function readTracking(
  { db, workspaceId }: ReportSource,
  subjectIds: readonly string[],
) {
  const rows = await db
    .selectFrom('subject_sets')
    .select(['id', 'subjects'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const wordsOf = new Map(
    rows.map(({ id, subjects }) => [id, new Map(subjectList.parse(JSON.parse(subjects)))]),
  );
  const everyPlace = [...subjectIds.keys()];
  return { of };

  function of({ before, now }: GroupTally['judgedBy']) {
    const wordsIn = (set: string, place: number) => wordsOf.get(set)?.get(subjectIds[place] ?? '');
    return {
      /** Whether every run of the period was judged for this subject, by its place. */
      isTracked: (place: number) => now.keys().every((set) => wordsIn(set, place) !== undefined),
      /** How many runs of the period were judged for this subject. */
      runsTracked: (place: number) =>
        [...now].reduce(
          (sum, [set, runs]) => sum + (wordsIn(set, place) === undefined ? 0 : runs),
          0,
        ),
      /** Whether all runs of both periods were judged for this subject by the same words. */
      isSame: (place: number) => {
        const all = [...before.keys(), ...now.keys()].map((set) => wordsIn(set, place));
        // Sets from before words were stored have empty words, which match any.
        return !all.includes(undefined) && new Set(all.filter((each) => each !== '')).size <= 1;
      },
      everyPlace,
    };
  }
}
