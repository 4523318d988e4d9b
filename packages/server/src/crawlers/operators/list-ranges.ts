import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { readFileVersions } from './file-versions.ts';
import { readKnownFiles, sizeOf } from './operator-file.ts';

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
      first_at: first?.firstAt ?? null,
      last_at: latest?.lastAt ?? null,
      problem: problems.get(id) ?? null,
    };
  });
}
