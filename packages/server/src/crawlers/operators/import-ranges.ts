import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Kysely } from 'kysely';
import { nearest } from '@overheard/contract';
import { Refusal } from '../../refusals.ts';
import { errnoOf } from '../../values/errno.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { fileId } from '../bots/catalogue.ts';
import { readOwnBots } from '../bots/workspace-bots.ts';
import { MalformedList } from './list-file.ts';
import { proxyPrefix } from './lists.ts';
import { keepOperatorFile, readKnownFiles, readOperatorFile } from './operator-file.ts';

/** Clocks differ, and some operators write a time without its zone. */
const aheadMaxMs = dayMs;

/** Names of lists. A folder of lists may have other files, such as a README. */
const listNames = /\.(json|txt|csv|html?)$/i;

interface ImportOptions {
  /** A file, or a folder laid out as `OPERATOR/BASENAME.json` (or `.txt`, `.csv`, `.html`). */
  readonly path: string;
  /** Finds which list a file contains. */
  readonly id?: string | undefined;
  /** Refuses lists from a later time, in milliseconds since 1970. */
  readonly nowMs?: number;
  /** When the files were fetched, in milliseconds since 1970. */
  readonly fetchedMs?: number | undefined;
  /** Whether to import lists that are unlikely to be their operator's. */
  readonly isAccepted?: boolean;
}

/**
 * Imports operators' files, all or none. A list was in force from the time in it to `fetchedMs`. Throws
 * a `Refusal` for a file that is not a list, and for one without any time.
 */
export async function importRanges(
  store: Store,
  { path, id, nowMs = Infinity, fetchedMs, isAccepted = false }: ImportOptions,
) {
  const files = await findFiles(path, id);
  await refuseUnknown(files, store.writer);
  const parsed: Array<Awaited<ReturnType<typeof readOne>>> = [];
  for (const file of files) parsed.push(await readOne(file, { fetchedMs, nowMs }));
  return store.write(async (transaction) => {
    const imported = [];
    for (const { size, ...file } of parsed) {
      imported.push({
        id: file.id,
        path: file.path,
        size,
        isNew: await keepOperatorFile(transaction, file, { from: 'import', isAccepted }),
        firstAt: new Date(file.firstMs).toISOString(),
        lastAt: new Date(file.lastMs).toISOString(),
      });
    }
    return imported;
  });
}

interface FoundFile {
  readonly id: string;
  readonly path: string;
}

/** Refuses an unknown list, because no bot would use it. */
async function refuseUnknown(files: readonly FoundFile[], db: Kysely<DataTables>): Promise<void> {
  const ownLists = (await readOwnBots(db)).flatMap(({ lists }) => lists);
  const listIds = new Set([...(await readKnownFiles(db)).map(({ id }) => id), ...ownLists]);
  for (const { id } of files) {
    if (listIds.has(id) || id.startsWith(proxyPrefix)) continue;
    throw new Refusal('list_unknown', { id, from: 'import', nearest: nearest(id, listIds) });
  }
}

async function findFiles(path: string, id: string | undefined): Promise<readonly FoundFile[]> {
  const stats = await stat(path).catch((error: unknown) => {
    throw new Refusal('file_unreadable', { path, errno: errnoOf(error) }, { cause: error });
  });
  if (!stats.isDirectory()) {
    if (id === undefined) throw new Refusal('list_id_missing', { path });
    return [{ id: checkId(id), path }];
  }
  if (id !== undefined) throw new Refusal('list_id_of_folder', { path });
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && listNames.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length === 0) throw new Refusal('list_folder_empty', { path });
  return files.map((file) => ({ id: checkId(idOf(file)), path: file }));
}

function idOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path, extname(path))}`.toLowerCase();
}

function checkId(id: string): string {
  if (!fileId.safeParse(id).success) throw new Refusal('list_id_malformed', { id });
  return id;
}

type ListTimes = Required<Pick<ImportOptions, 'fetchedMs' | 'nowMs'>>;

async function readOne({ id, path }: FoundFile, times: ListTimes) {
  try {
    const { content, size, createdMs } = await readOperatorFile(id, createReadStream(path));
    return { id, path, content, size, ...timesOf(createdMs, times) };
  } catch (error) {
    if (!(error instanceof MalformedList)) throw error;
    throw new Refusal('list_malformed', { path, fault: error.fault }, { cause: error });
  }
}

function timesOf(createdMs: number | null, { fetchedMs, nowMs }: ListTimes) {
  const firstMs = createdMs ?? fetchedMs;
  if (firstMs === undefined) throw new MalformedList({ kind: 'undated' });
  const lastMs = Math.max(firstMs, fetchedMs ?? firstMs);
  if (lastMs > nowMs + aheadMaxMs) {
    throw new MalformedList({ kind: 'in_future', at: new Date(lastMs).toISOString() });
  }
  return { firstMs, lastMs };
}
