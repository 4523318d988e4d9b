import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { DataTables } from '../../storage/schema.ts';
import { readSubjects } from '../subjects.ts';
import type { UntrackedName } from './find-untracked.ts';
import { readLeftOut } from './left-out.ts';
import { foldWord } from './words.ts';

const untrackedSchema = z.object({
  name: z.string().nullable(),
  site: z.string().nullable(),
  answers: z.number(),
  example: z.object({
    run_id: z.string(),
    sentence: z.string().nullable(),
    url: z.string().nullable(),
  }),
});

/**
 * Reads names and sites that were found earlier from JSON, without those tracked or dismissed
 * since.
 */
export async function keepUntracked(
  db: Kysely<DataTables>,
  workspaceId: string,
  names: readonly string[],
): Promise<UntrackedName[]> {
  const subjects = await readSubjects(db, workspaceId);
  const leftOut = await readLeftOut(db, workspaceId, subjects);
  return names
    .map((text) => untrackedSchema.parse(JSON.parse(text)))
    .filter(({ name, site }) => {
      if (name === null) {
        return site !== null && !leftOut.isOwned(site) && !leftOut.isSiteDismissed(site);
      }
      const key = foldWord(name);
      return !leftOut.isTracked(key) && !leftOut.isDismissed(key);
    });
}
