import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { proxyPrefix } from './lists.ts';
import { readKnownFiles, sizeOf } from './operator-file.ts';

/** One operator's file: what is here of it. */
export interface ListedFile {
  readonly id: string;
  readonly url: string | null;
  /** Contents that it has had. */
  readonly versions: number;
  /** Networks or keys of the latest. */
  readonly size: number;
  /** The first and last moment for which there is a content; null where there is none. */
  readonly first_at: string | null;
  readonly last_at: string | null;
  /** Why the last attempt to fetch it failed. */
  readonly problem: string | null;
}

/** Whether any operator's list or key directory is here, besides those of proxies. */
export async function hasOperatorLists(db: Kysely<DataTables>): Promise<boolean> {
  const row = await db
    .selectFrom('operator_files')
    .select('file_id')
    .where('file_id', 'not like', `${proxyPrefix}%`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When an operator was last asked for a list, in milliseconds since 1970; undefined for never. */
export async function lastCheckMs(db: Kysely<DataTables>): Promise<number | undefined> {
  const row = await db
    .selectFrom('operator_checks')
    .select(({ fn }) => fn.max('checked_at').as('at'))
    .executeTakeFirst();
  // The database has null for the latest of none.
  const at: string | null | undefined = row?.at;
  return at === null || at === undefined ? undefined : Date.parse(at);
}

/** Every file that is here or could be. */
export async function listRanges(db: Kysely<DataTables>): Promise<ListedFile[]> {
  const rows = await db
    .selectFrom('operator_files')
    .select(['file_id', 'first_at', 'last_at', 'content'])
    .orderBy('file_id')
    .orderBy('last_at')
    .execute();
  const checks = await db.selectFrom('operator_checks').select(['file_id', 'problem']).execute();
  const problems = new Map(checks.map(({ file_id: id, problem }) => [id, problem]));
  const urls = new Map((await readKnownFiles(db)).map(({ id, url }) => [id, url]));
  const ids = new Set([...urls.keys(), ...rows.map(({ file_id: id }) => id)]);
  return [...ids].toSorted().map((id) => {
    const versions = rows.filter((row) => row.file_id === id);
    const latest = versions.at(-1);
    return {
      id,
      url: urls.get(id) ?? null,
      versions: versions.length,
      size: latest === undefined ? 0 : sizeOf(id, latest.content),
      first_at: versions.map((row) => row.first_at).toSorted()[0] ?? null,
      last_at: latest?.last_at ?? null,
      problem: problems.get(id) ?? null,
    };
  });
}
