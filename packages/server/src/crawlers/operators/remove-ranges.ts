import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { readFileVersions } from './file-versions.ts';
import { sizeOf } from './operator-file.ts';

/**
 * Removes one version of a list, the one in force from `firstMs` on (milliseconds since 1970), or all,
 * and returns them. Throws a `Refusal` if no version matches, or if several do and `isAll` is false.
 */
export async function removeRanges(
  store: Store,
  { id, firstMs, isAll = false }: { id: string; firstMs?: number | undefined; isAll?: boolean },
) {
  return store.write(async (transaction) => {
    const stored = (await readFileVersions(transaction, id)).get(id);
    if (stored === undefined) throw new Refusal('list_not_found', { id });
    const versions = stored.map(({ firstAt, lastAt, content }) => ({
      firstAt,
      lastAt,
      size: sizeOf(content),
    }));
    const first = firstMs === undefined ? undefined : new Date(firstMs).toISOString();
    const removed = versions.filter(({ firstAt }) => first === undefined || firstAt === first);
    if (removed.length === 0 || (removed.length > 1 && !isAll)) {
      throw new Refusal('list_version_unclear', { id, first, versions });
    }
    await transaction
      .deleteFrom('operator_files')
      .where('file_id', '=', id)
      .$if(first !== undefined, (query) => query.where('first_at', '=', first ?? ''))
      .execute();
    await transaction.deleteFrom('operator_checks').where('file_id', '=', id).execute();
    return removed;
  });
}
