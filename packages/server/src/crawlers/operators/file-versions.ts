import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { DataTables } from '../../storage/schema.ts';

/** A content of an operator's file and the time for which it is known to have held. */
export interface FileVersion {
  readonly firstMs: number;
  readonly lastMs: number;
  readonly content: string;
}

/**
 * Keeps a content that a file had from `firstMs` to `lastMs`, milliseconds since 1970. The same
 * content again, with no other in between, lengthens its time. Returns whether the content is new.
 */
export async function keepFileVersion(
  db: Kysely<DataTables>,
  { fileId, content, firstMs, lastMs }: { fileId: string } & FileVersion,
): Promise<boolean> {
  const contentHash = createHash('sha256').update(content).digest('hex');
  const rows = await db
    .selectFrom('operator_files')
    .select(['content_hash', 'first_at', 'last_at'])
    .where('file_id', '=', fileId)
    .execute();
  const firstAt = new Date(firstMs).toISOString();
  const lastAt = new Date(lastMs).toISOString();
  // What is known to have held longer is not shortened.
  const isKnown = rows.some(
    (row) => row.content_hash === contentHash && row.first_at <= firstAt && row.last_at >= lastAt,
  );
  if (isKnown) return false;
  const mergeable = rows.find(
    (row) =>
      row.content_hash === contentHash &&
      !rows.some(
        (other) =>
          other.content_hash !== contentHash &&
          other.first_at < later(row.last_at, lastAt) &&
          other.last_at > earlier(row.first_at, firstAt),
      ),
  );
  if (mergeable === undefined) {
    await db
      .insertInto('operator_files')
      .values({
        file_id: fileId,
        content_hash: contentHash,
        first_at: firstAt,
        last_at: lastAt,
        content,
      })
      .onConflict((conflict) =>
        conflict.columns(['file_id', 'content_hash', 'first_at']).doUpdateSet({ last_at: lastAt }),
      )
      .execute();
    return true;
  }
  await db
    .updateTable('operator_files')
    .set({
      first_at: earlier(mergeable.first_at, firstAt),
      last_at: later(mergeable.last_at, lastAt),
    })
    .where('file_id', '=', fileId)
    .where('content_hash', '=', contentHash)
    .where('first_at', '=', mergeable.first_at)
    .execute();
  return false;
}

/**
 * The content that a file had before a moment, milliseconds since 1970, or else the first one after
 * it. Undefined if there is no version of it.
 */
export async function findPreviousContent(
  db: Kysely<DataTables>,
  fileId: string,
  atMs: number,
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('operator_files')
    .select(['content', 'first_at'])
    .where('file_id', '=', fileId)
    .orderBy('first_at')
    .orderBy('content_hash')
    .execute();
  const at = new Date(atMs).toISOString();
  return (rows.findLast(({ first_at: first }) => first <= at) ?? rows[0])?.content;
}

/** Every version of every file, oldest first. */
export async function readFileVersions(
  db: Kysely<DataTables>,
): Promise<ReadonlyMap<string, readonly FileVersion[]>> {
  const rows = await db
    .selectFrom('operator_files')
    .select(['file_id', 'first_at', 'last_at', 'content'])
    .orderBy('file_id')
    .orderBy('first_at')
    .orderBy('content_hash')
    .execute();
  const files = new Map<string, FileVersion[]>();
  for (const row of rows) {
    const versions = files.get(row.file_id) ?? [];
    versions.push({
      firstMs: Date.parse(row.first_at),
      lastMs: Date.parse(row.last_at),
      content: row.content,
    });
    files.set(row.file_id, versions);
  }
  return files;
}

const prefixList = z.array(z.string());

/** The content of a list, as it is kept. */
export function writeListContent(prefixes: readonly string[]): string {
  return JSON.stringify(prefixes);
}

/** The networks of a list that was kept. */
export function readListContent(content: string): readonly string[] {
  return prefixList.parse(JSON.parse(content));
}

function earlier(left: string, right: string): string {
  return left < right ? left : right;
}

function later(left: string, right: string): string {
  return left > right ? left : right;
}
