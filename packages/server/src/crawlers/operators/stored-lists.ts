import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { readFileVersions } from './file-versions.ts';
import { proxyPrefix } from './lists.ts';
import { readKnownFiles, sizeOf } from './operator-file.ts';

/** Whether any operator's list or key directory is stored, not counting those of proxies. */
export async function hasOperatorLists(db: Kysely<DataTables>): Promise<boolean> {
  const row = await db
    .selectFrom('operator_files')
    .select('file_id')
    .where('file_id', 'not like', `${proxyPrefix}%`)
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

/**
 * Every file that is stored or can be fetched: the networks or keys of its latest version, the first and
 * last moment for which a version is stored, and why the last attempt to fetch it failed.
 */
export async function listRanges(db: Kysely<DataTables>) {
  const stored = await readFileVersions(db);
  const checks = await db.selectFrom('operator_checks').select(['file_id', 'problem']).execute();
  const problems = new Map(checks.map(({ file_id: id, problem }) => [id, problem]));
  const urls = new Map((await readKnownFiles(db)).map(({ id, url }) => [id, url]));
  return [...new Set([...urls.keys(), ...stored.keys()])].toSorted().map((id) => {
    const versions = stored.get(id) ?? [];
    const [first] = versions;
    const latest = versions.toSorted((left, right) => left.lastMs - right.lastMs).at(-1);
    return {
      id,
      url: urls.get(id) ?? null,
      versions: versions.length,
      size: latest === undefined ? 0 : sizeOf(latest.content),
      first_at: first === undefined ? null : new Date(first.firstMs).toISOString(),
      last_at: latest === undefined ? null : new Date(latest.lastMs).toISOString(),
      problem: problems.get(id) ?? null,
    };
  });
}
