import type { Kysely } from 'kysely';
import type { DataTables } from '../storage/schema.ts';

/** Days after which lists are too old, because today's hits cannot be verified by older lists. */
export const listsDaysMax = 2;

/** Whether any operator's list or key directory is stored, not counting those of proxies. */
export async function hasOperatorLists(db: Kysely<DataTables>): Promise<boolean> {
  const row = await db
    .selectFrom('operator_files')
    .select('file_id')
    .where('file_id', 'not like', 'proxy/%')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When a list was last fetched, in milliseconds since 1970. Undefined for never. */
export async function lastCheckMs(db: Kysely<DataTables>): Promise<number | undefined> {
  const row = await db
    .selectFrom('operator_checks')
    .select('checked_at')
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && Date.parse(row.checked_at);
}
