import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Kysely } from 'kysely';
import { nearest } from '@overheard/contract';
import { CommandError } from '../../problems.ts';
import { reason } from '../../rows/source.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { fileId } from '../bots/catalogue.ts';
import { readOwnBots } from '../bots/workspace-bots.ts';
import { proxyPrefix } from './lists.ts';
import {
  operatorFileBytesMax,
  parseOperatorFile,
  readKnownFiles,
  refuseUnlikely,
} from './operator-file.ts';
import { findPreviousContent, keepFileVersion } from './file-versions.ts';

/** A file that was taken. */
export interface ImportedFile {
  readonly id: string;
  readonly path: string;
  readonly size: number;
  readonly isNew: boolean;
  readonly firstAt: string;
  readonly lastAt: string;
}

/** Clocks differ, and some operators give a time without its zone. */
const aheadMaxMs = 86_400_000;

/** What operators' files are called; a folder of lists may have a page about them beside. */
const listNames = /\.(json|txt|csv|html?)$/i;

/**
 * Takes operators' files from disk: one under its id, or every file of a folder laid out as
 * `OPERATOR/BASENAME.json` (or `.txt`, `.csv`, `.html`). A file holds at the time that it gives itself, up to `fetchedMs` where
 * that is given. All are read before any is kept. Throws a `CommandError` for a file that cannot be
 * taken, or that has no time and came without one.
 */
export async function importRanges(
  store: Store,
  {
    path,
    id,
    nowMs = Number.POSITIVE_INFINITY,
    fetchedMs,
    isAccepted = false,
  }: {
    path: string;
    /** Lists that would hold from a later time are refused, milliseconds since 1970. */
    nowMs?: number;
    id?: string | undefined;
    /** When the files were fetched, milliseconds since 1970. */
    fetchedMs?: number | undefined;
    /** Whether to take lists that are unlikely to be their operator's. */
    isAccepted?: boolean;
  },
): Promise<ImportedFile[]> {
  const files = await findFiles(path, id);
  const known = await selectKnownIds(store.writer);
  for (const file of files) refuseUnknown(file.id, known);
  const parsed: Array<Awaited<ReturnType<typeof readOne>>> = [];
  for (const file of files) parsed.push(await readOne(file, { fetchedMs, nowMs }));
  return store.writer.transaction().execute(async (transaction) => {
    const imported: ImportedFile[] = [];
    for (const { content, size, firstMs, lastMs, ...file } of parsed) {
      if (!isAccepted) await refuseUnlikelyFile(transaction, { ...file, content, firstMs });
      const version = { fileId: file.id, content, firstMs, lastMs };
      imported.push({
        ...file,
        size,
        isNew: await keepFileVersion(transaction, version),
        firstAt: new Date(firstMs).toISOString(),
        lastAt: new Date(lastMs).toISOString(),
      });
    }
    return imported;
  });
}

async function selectKnownIds(db: Kysely<DataTables>): Promise<ReadonlySet<string>> {
  const lists = (await readOwnBots(db)).flatMap((own) => own.lists);
  return new Set([...(await readKnownFiles(db)).map(({ id }) => id), ...lists]);
}

/** A list whose id is mistyped would be stored and never used. */
function refuseUnknown(id: string, known: ReadonlySet<string>): void {
  if (known.has(id) || id.startsWith(proxyPrefix)) return;
  const meant = nearest(id, known);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new CommandError(
    `No bot is judged by a list ${id}, so nothing was imported.${hint} For a bot of your own, add the bot first: overheard bots add TOKEN --list ${id}`,
    { exitCode: 2 },
  );
}

async function refuseUnlikelyFile(
  db: Kysely<DataTables>,
  { id, path, content, firstMs }: { id: string; path: string; content: string; firstMs: number },
): Promise<void> {
  const previous = await findPreviousContent(db, id, firstMs);
  refuseWhole(path, () => {
    refuseUnlikely({ id, content }, previous, 'import it with --accept');
  });
}

/** Names the file in a refusal, and says that no other file was imported either. */
function refuseWhole<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`${path} was not imported, nor any other file. ${error.message}`, {
      cause: error,
    });
  }
}

async function findFiles(
  path: string,
  id: string | undefined,
): Promise<ReadonlyArray<{ readonly id: string; readonly path: string }>> {
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${reason(error)}.`, { cause: error });
  });
  if (!found.isDirectory()) {
    if (id === undefined) {
      throw new CommandError(
        `Say which list ${path} is: --list OPERATOR/NAME, such as openai/gptbot.`,
        {
          exitCode: 2,
        },
      );
    }
    return [{ id: checkId(id), path }];
  }
  if (id !== undefined) {
    throw new CommandError(
      '--list is for one file; in a folder the names say which list each is.',
      {
        exitCode: 2,
      },
    );
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && listNames.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length === 0)
    throw new CommandError(
      `There is no list in ${path}: they are OPERATOR/NAME.json, .txt, .csv or .html.`,
    );
  return files.map((file) => ({ id: checkId(idOf(file)), path: file }));
}

function idOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path, extname(path))}`.toLowerCase();
}

function checkId(id: string): string {
  if (fileId.safeParse(id).success) return id;
  throw new CommandError(
    `"${id}" is no id of a list; one is OPERATOR/NAME, such as openai/gptbot.`,
    {
      exitCode: 2,
    },
  );
}

async function readOne(
  { id, path }: { id: string; path: string },
  { fetchedMs, nowMs }: { fetchedMs: number | undefined; nowMs: number },
) {
  const { size: bytes } = await stat(path);
  if (bytes > operatorFileBytesMax)
    throw new CommandError(`${path} is larger than ${operatorFileBytesMax / 1e6} MB.`);
  const text = await readFile(path, 'utf8');
  return refuseWhole(path, () => {
    const { content, size, createdMs } = parseOperatorFile(id, text);
    const firstMs = createdMs ?? fetchedMs;
    if (firstMs === undefined) {
      throw new CommandError('It does not say when it was made: add --fetched-at.');
    }
    const lastMs = Math.max(firstMs, fetchedMs ?? firstMs);
    if (lastMs > nowMs + aheadMaxMs) {
      throw new CommandError(
        `It would hold from ${new Date(lastMs).toISOString()}, which is in the future.`,
      );
    }
    return { id, path, content, size, firstMs, lastMs };
  });
}
