import type { FileHandle } from 'node:fs/promises';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Identity } from '../hits/identity.ts';
import type { TornHit } from './torn-lines.ts';

/** How far a file has been read, and how to know it again. */
export interface LogState {
  /** Device and inode. */
  readonly fileKey: string;
  readonly optionsKey: string;
  readonly path: string;
  readonly readBytes: number;
  readonly head: string;
  readonly tail: string;
  readonly directive: string | null;
}

const edgeBytes = 256;

/** What was kept about a file; undefined where it was never read under these options. */
export async function findLogState(
  db: Kysely<DataTables>,
  workspaceId: string,
  { fileKey, optionsKey }: Pick<LogState, 'fileKey' | 'optionsKey'>,
): Promise<LogState | undefined> {
  const row = await db
    .selectFrom('log_files')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', fileKey)
    .where('options_key', '=', optionsKey)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    fileKey,
    optionsKey,
    path: row.path,
    readBytes: row.read_bytes,
    head: row.head,
    tail: row.tail,
    directive: row.directive,
  };
}

/** Keeps how far a file has been read, in the transaction that keeps its hits. */
export async function keepLogState(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { state, torn, nowMs }: { state: LogState; torn: TornHit | undefined; nowMs: number },
): Promise<void> {
  const row = {
    path: state.path,
    read_bytes: state.readBytes,
    head: state.head,
    tail: state.tail,
    directive: state.directive,
    provisional_id: torn?.id ?? null,
    torn: torn?.torn ?? null,
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

/** The bytes at both ends of what has been read: an inode that was given to another file differs in them. */
export async function readEdges(
  file: FileHandle,
  readBytes: number,
  identity: Identity,
): Promise<Pick<LogState, 'head' | 'tail'>> {
  const length = Math.min(edgeBytes, readBytes);
  return {
    head: await fingerprint(file, { position: 0, length, identity }),
    tail: await fingerprint(file, { position: readBytes - length, length, identity }),
  };
}

/** Whether the file still begins with what was read of it. */
export async function isSameFile(
  file: FileHandle,
  { readBytes, head, tail }: LogState,
  identity: Identity,
): Promise<boolean> {
  const edges = await readEdges(file, readBytes, identity);
  return edges.head === head && edges.tail === tail;
}

async function fingerprint(
  file: FileHandle,
  { position, length, identity }: { position: number; length: number; identity: Identity },
): Promise<string> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return `${bytesRead}:${identity.fingerprint(bytes.subarray(0, bytesRead))}`;
}
