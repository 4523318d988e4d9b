import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';

type Db = Kysely<AccessTables>;

/** The user, workspace and UTC day of a visit. */
interface VisitOfDay {
  readonly workspaceId: string;
  readonly userId: string;
  readonly today: string;
}

/**
 * Reads the last UTC day before today on which a person saw the overview; null if there is none.
 */
export async function lastVisit(
  db: Db,
  { workspaceId, userId, today }: VisitOfDay,
): Promise<{ readonly day: string | null; readonly isNoted: boolean }> {
  const row = await db
    .selectFrom('visits')
    .select(['day', 'day_before'])
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const isNoted = row?.day === today;
  return { day: (isNoted ? row.day_before : row?.day) ?? null, isNoted };
}

/** Notes that a person sees the overview today. Doing it again changes nothing. */
export async function noteVisit(db: Db, { workspaceId, userId, today }: VisitOfDay): Promise<void> {
  await db
    .insertInto('visits')
    .values({ workspace_id: workspaceId, user_id: userId, day: today, day_before: null })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'user_id'])
        .doUpdateSet(({ ref }) => ({ day: today, day_before: ref('visits.day') }))
        .where('visits.day', '<>', today),
    )
    .execute();
}
