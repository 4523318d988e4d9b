import type { FileHandle } from 'node:fs/promises';
import type { Identity } from '../hits/identity.ts';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';

/** How far a file has been read, and how to recognise it. */
export interface LogState {
  /** Device and inode. */
  readonly fileKey: string;
  readonly optionsKey: string;
  readonly path: string;
  readonly readBytes: number;
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
    .select(['path', 'read_bytes', 'fingerprint', 'directive'])
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', fileKey)
    .where('options_key', '=', optionsKey)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { path, read_bytes: readBytes, fingerprint, directive } = row;
  return { fileKey, optionsKey, path, readBytes, fingerprint, directive };
}

/** Names a file by device and inode, which a rename does not change. */
export function keyOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
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

/** How far a file has been read, and the last bytes that were read, by which it is recognised. */
export interface LogTail {
  readonly bytes: number;
  readonly last: Buffer;
}

const lastBytes = 256;

export async function readTail(file: FileHandle, bytes: number): Promise<LogTail> {
  const length = Math.min(lastBytes, bytes);
  const read = await file.read(Buffer.alloc(length), 0, length, bytes - length);
  return { bytes, last: read.buffer.subarray(0, read.bytesRead) };
}

export function advance({ bytes, last }: LogTail, chunk: Buffer): LogTail {
  const end = Buffer.concat([last, chunk.subarray(-lastBytes)]).subarray(-lastBytes);
  return { bytes: bytes + chunk.length, last: end };
}

/** Whether the file is still the one that was read, and not another one written over it. */
export async function hasTail(file: FileHandle, { bytes, last }: LogTail): Promise<boolean> {
  return (await readTail(file, bytes)).last.equals(last);
}

/** `LENGTH:HMAC` of the last bytes, which reveals nothing of them. */
export function fingerprintOf({ last }: LogTail, identity: Identity): string {
  return `${last.length}:${identity.fingerprint(last)}`;
}
