import { z } from 'zod';
import type { ReportSource } from '../report-source.ts';
import type { GroupTally } from './tally.ts';

/** Which subjects were tracked when the runs were judged. */
export interface Tracking {
  readonly of: (judgedBy: GroupTally['judgedBy']) => {
    /** Whether every run of the period was judged for this subject, by its place. */
    readonly isTracked: (place: number) => boolean;
    /** How many runs of the period were judged for this subject. */
    readonly runsTracked: (place: number) => number;
    /** Whether all runs of both periods were judged for this subject by the same words. */
    readonly isSame: (place: number) => boolean;
    readonly everyPlace: readonly number[];
  };
}

const subjectList = z.array(z.tuple([z.string(), z.string()]));

/** Reads the sets of subjects that have judged runs. */
export async function readTracking(
  { db, workspaceId }: ReportSource,
  subjectIds: readonly string[],
): Promise<Tracking> {
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
      isTracked: (place: number) => now.keys().every((set) => wordsIn(set, place) !== undefined),
      runsTracked: (place: number) =>
        [...now].reduce(
          (sum, [set, runs]) => sum + (wordsIn(set, place) === undefined ? 0 : runs),
          0,
        ),
      isSame: (place: number) => {
        const all = [...before.keys(), ...now.keys()].map((set) => wordsIn(set, place));
        // Sets from before words were stored have empty words, which match any.
        return !all.includes(undefined) && new Set(all.filter((each) => each !== '')).size <= 1;
      },
      everyPlace,
    };
  }
}
