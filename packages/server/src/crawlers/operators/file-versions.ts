import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { DataTables } from '../../storage/schema.ts';

/** A content of an operator's file, and the time for which it is known to have been in force. */
export interface FileVersion {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly content: string;
}

/** A version with its dates as text, which are part of the evidence of every hit. */
export interface StoredVersion extends FileVersion {
  readonly firstAt: string;
  readonly lastAt: string;
}

/**
 * Stores a content that a file had from `firstMs` to `lastMs`, milliseconds since 1970. The same
 * content again, with no other in between, extends its time. Returns whether the content is new.
 */
export async function keepFileVersion(
  db: Kysely<DataTables>,
  { fileId, content, firstMs, lastMs }: { fileId: string } & FileVersion,
): Promise<boolean> {
  const hash = createHash('sha256').update(content).digest('hex');
  const [first, last] = [new Date(firstMs).toISOString(), new Date(lastMs).toISOString()];
  const rows = await db
    .selectFrom('operator_files')
    .select(['content_hash', 'first_at', 'last_at'])
    .where('file_id', '=', fileId)
    .execute();
  const same = rows.filter((row) => row.content_hash === hash);
  const others = rows.filter((row) => row.content_hash !== hash);
  const extended = same
    .map((row) => ({
      before: row.first_at,
      first_at: row.first_at < first ? row.first_at : first,
      last_at: row.last_at > last ? row.last_at : last,
    }))
    .find(
      (span) => !others.some((row) => row.first_at < span.last_at && row.last_at > span.first_at),
    );
  if (extended !== undefined) {
    const { before, ...span } = extended;
    await db
      .updateTable('operator_files')
      .set(span)
      .where('file_id', '=', fileId)
      .where('content_hash', '=', hash)
      .where('first_at', '=', before)
      .execute();
    return false;
  }
  if (same.some((row) => row.first_at <= first && row.last_at >= last)) return false;
  await db
    .insertInto('operator_files')
    .values({ file_id: fileId, content_hash: hash, first_at: first, last_at: last, content })
    .onConflict((conflict) =>
      conflict.columns(['file_id', 'content_hash', 'first_at']).doUpdateSet({ last_at: last }),
    )
    .execute();
  return true;
}

/** Every version of every file, or of one, oldest first. */
export async function readFileVersions(
  db: Kysely<DataTables>,
  fileId?: string,
): Promise<ReadonlyMap<string, readonly StoredVersion[]>> {
  const rows = await db
    .selectFrom('operator_files')
    .select(['file_id as fileId', 'first_at as firstAt', 'last_at as lastAt', 'content'])
    .$if(fileId !== undefined, (query) => query.where('file_id', '=', fileId ?? ''))
    .orderBy('file_id')
    .orderBy('first_at')
    .orderBy('content_hash')
    .execute();
  const versions = rows.map((row) => ({
    ...row,
    firstMs: Date.parse(row.firstAt),
    lastMs: Date.parse(row.lastAt),
  }));
  return Map.groupBy(versions, (version) => version.fileId);
}

const prefixList = z.array(z.string());

/** A list of networks as it is stored. */
export function writeListContent(prefixes: readonly string[]): string {
  return JSON.stringify(prefixes);
}

export function readListContent(content: string): readonly string[] {
  return prefixList.parse(JSON.parse(content));
}
