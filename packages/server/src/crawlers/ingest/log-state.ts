import type { FileHandle } from 'node:fs/promises';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Identity } from '../hits/identity.ts';
import type { IngestContext } from './prepare-ingest.ts';

/** How far a file has been read, and how to recognise it. */
export interface LogState {
  /** Device and inode. */
  readonly fileKey: string;
  readonly optionsKey: string;
  readonly path: string;
  readonly readBytes: number;
  /** Of the last bytes before `readBytes`. */
  readonly fingerprint: string;
  readonly directive: string | null;
}

/** Undefined if the file was never read under these options. */
export async function findLogState(
  db: Kysely<DataTables>,
  workspaceId: string,
  { fileKey, optionsKey }: Pick<LogState, 'fileKey' | 'optionsKey'>,
): Promise<LogState | undefined> {
  const row = await db
    .selectFrom('log_files')
    .select(['path', 'read_bytes as readBytes', 'fingerprint', 'directive'])
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', fileKey)
    .where('options_key', '=', optionsKey)
    .executeTakeFirst();
  return row && { fileKey, optionsKey, ...row };
}

/** How far an open file has been read, if no other log was written over it. */
export async function findResumable(
  file: FileHandle,
  fileKey: string,
  { store, workspaceId, identity, optionsKey }: IngestContext,
): Promise<LogState | undefined> {
  const known = await findLogState(store.writer, workspaceId, { fileKey, optionsKey });
  if (known === undefined) return undefined;
  const tail = await readTail(file, known.readBytes);
  return fingerprintOf(tail, identity) === known.fingerprint ? known : undefined;
}

/** Names a file by device and inode, which a rename does not change. */
export function fileKeyOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`;
}

/** Stores how far a file has been read, in the transaction that writes its hits. */
export async function keepLogState(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { state, nowMs }: { state: LogState; nowMs: number },
): Promise<void> {
  const row = {
    path: state.path,
    read_bytes: state.readBytes,
    fingerprint: state.fingerprint,
    directive: state.directive,
    updated_at: new Date(nowMs).toISOString(),
  };
  await transaction
    .insertInto('log_files')
    .values({
      workspace_id: workspaceId,
      file_key: state.fileKey,
      options_key: state.optionsKey,
      ...row,
    })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'file_key', 'options_key']).doUpdateSet(row),
    )
    .execute();
}

/** Bytes by which a place in a file is recognised: the last ones before it. */
export const tailBytes = 256;

export async function readTail(file: FileHandle, end: number): Promise<Buffer> {
  const length = Math.min(tailBytes, end);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, end - length);
  return buffer.subarray(0, bytesRead);
}

/** `LENGTH:HMAC` of the last bytes, which reveals nothing of them. */
export function fingerprintOf(tail: Buffer, identity: Identity): string {
  return `${tail.length}:${identity.fingerprint(tail)}`;
}
