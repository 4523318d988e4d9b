import type { FileHandle } from 'node:fs/promises';
import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Identity } from '../hits/identity.ts';
import type { IngestContext } from './prepare-ingest.ts';

/** How far a file has been read, and how to recognise it. */
export type LogState = Omit<DataTables['log_files'], 'workspace_id' | 'updated_at'>;

/** How far a file has been read under the options of an ingest. Undefined if it never was. */
export async function findLogState(
  fileKey: string,
  { store, workspaceId, optionsKey }: IngestContext,
): Promise<Pick<LogState, 'path' | 'read_bytes' | 'fingerprint' | 'directive'> | undefined> {
  return store.writer
    .selectFrom('log_files')
    .select(['path', 'read_bytes', 'fingerprint', 'directive'])
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', fileKey)
    .where('options_key', '=', optionsKey)
    .executeTakeFirst();
}

/** How far an open file has been read, if no other log was written over it. */
export async function findResumable(
  file: FileHandle,
  fileKey: string,
  context: IngestContext,
): ReturnType<typeof findLogState> {
  const state = await findLogState(fileKey, context);
  if (state === undefined) return undefined;
  const tail = await readTail(file, state.read_bytes);
  return fingerprintOf(tail, context.identity) === state.fingerprint ? state : undefined;
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
  const row = { ...state, updated_at: new Date(nowMs).toISOString() };
  await transaction
    .insertInto('log_files')
    .values({ workspace_id: workspaceId, ...row })
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
