import { CommandError } from '../../problems.ts';
import type { Store } from '../../storage/store.ts';
import { sizeOf } from './operator-file.ts';

/** A version that was removed. */
export interface RemovedVersion {
  readonly firstAt: string;
  readonly lastAt: string;
  /** Networks or keys. */
  readonly size: number;
}

/**
 * Removes a version of a list: the only one, the one that held from `firstMs` on (milliseconds since
 * 1970), or all. The next `ranges update` fetches the file anew. Throws a `CommandError` if no version
 * fits, or if several do and neither choice was made.
 */
export async function removeRanges(
  store: Store,
  { id, firstMs, isAll = false }: { id: string; firstMs?: number | undefined; isAll?: boolean },
): Promise<RemovedVersion[]> {
  return store.writer.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('operator_files')
      .select(['content', 'content_hash', 'first_at', 'last_at'])
      .where('file_id', '=', id)
      .orderBy('first_at')
      .orderBy('content_hash')
      .execute();
    if (rows.length === 0) throw new CommandError(`No list ${id} is here: overheard ranges list`);
    const first = firstMs === undefined ? undefined : new Date(firstMs).toISOString();
    const chosen = rows.filter((row) => first === undefined || row.first_at === first);
    if (chosen.length === 0 || (chosen.length > 1 && !isAll)) {
      const which = first === undefined ? `${rows.length} versions` : `no version from ${first}`;
      const held = rows.map((row) => `${row.first_at} (size ${sizeOf(id, row.content)})`);
      throw new CommandError(
        `${id} has ${which}. Name one with --first-at, or remove all with --all: ${held.join(', ')}.`,
        { exitCode: 2 },
      );
    }
    for (const row of chosen) {
      await transaction
        .deleteFrom('operator_files')
        .where('file_id', '=', id)
        .where('content_hash', '=', row.content_hash)
        .where('first_at', '=', row.first_at)
        .execute();
    }
    // Its tags would let the operator answer that nothing has changed.
    await transaction.deleteFrom('operator_checks').where('file_id', '=', id).execute();
    return chosen.map((row) => ({
      firstAt: row.first_at,
      lastAt: row.last_at,
      size: sizeOf(id, row.content),
    }));
  });
}
