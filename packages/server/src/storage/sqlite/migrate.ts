import { existsSync, linkSync, lstatSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Kysely, SqliteDialect } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { errnoOf } from '../../values/errno.ts';
import { latestVersion, migratePart } from '../migrations/migration.ts';
import type { SchemaPart } from '../migrations/migration.ts';
import { schemaParts } from '../migrations/schema-parts.ts';
import type { StoreOptions } from '../store.ts';
import { checkFile } from './files/check.ts';
import { applicationId } from './files/files.ts';
import type { DatabaseFiles } from './files/files.ts';
import { openHandle } from './handle.ts';
import { joinFiles } from './files/join-files.ts';
import { createKyselyDriver } from './kysely-driver.ts';
import { makeFile, makeFolder } from './files/new-file.ts';

/**
 * Migrates both files to the latest schema, and creates them if `mayCreate` is true and neither
 * exists. Throws a `Refusal` for a file that is missing, not ours, damaged, of a newer version or
 * of another installation.
 */
export async function migrateFiles(
  files: DatabaseFiles,
  { mayCreate, onCreate }: { mayCreate: boolean; onCreate?: StoreOptions['onCreate'] },
): Promise<void> {
  refuseMissing(files, { mayCreate });
  // Create the keys' file first, so that both exist once the data's file does.
  await migrateFile(files.access, schemaParts.access);
  await migrateFile(files.data, schemaParts.data, onCreate);
  joinFiles(files);
}

/**
 * Creates an empty file of keys beside the data, if the old one was lost. Throws a `Refusal` if
 * there is a file of keys already, or no intact file of data.
 */
export async function createKeysFile(files: DatabaseFiles): Promise<void> {
  if (existsSync(files.access)) {
    throw new Refusal('keys_file_exists', { path: files.access });
  }
  if (!existsSync(files.data)) {
    throw new Refusal('database_not_found', { path: files.data });
  }
  checkFile(files.data, schemaParts.data);
  await migrateFile(files.access, schemaParts.access);
}

/** Throws a `Refusal` that says what to do if one or both of the files are missing. */
export function refuseMissing(files: DatabaseFiles, { mayCreate }: { mayCreate: boolean }): void {
  const hasData = isThere(files.data);
  const hasAccess = isThere(files.access);
  if (!hasData && hasAccess && hasKeys(files.access)) {
    throw new Refusal('data_file_missing', { data: files.data, access: files.access });
  }
  if (hasData && !hasAccess) {
    checkFile(files.data, schemaParts.data);
    throw new Refusal('keys_file_missing', { data: files.data, access: files.access });
  }
  if (!hasData && !mayCreate) {
    throw new Refusal('database_not_found', { path: files.data });
  }
}

/** Creates or migrates one file. */
export async function migrateFile(
  path: string,
  part: SchemaPart,
  onCreate?: StoreOptions['onCreate'],
): Promise<void> {
  if (!existsSync(path) && (await createFile(path, part))) onCreate?.(path);
  if (checkFile(path, part).version < latestVersion(part)) await migrate(path, part);
}

/**
 * Creates the file under another name and links it into place, so that nobody sees an incomplete
 * database. Returns whether this process created it.
 */
async function createFile(path: string, part: SchemaPart): Promise<boolean> {
  makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}.new`;
  try {
    makeFile(draft, { shownAs: path });
    await migrate(draft, part);
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function migrate(path: string, part: SchemaPart): Promise<void> {
  const handle = openHandle(path);
  const db = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: createKyselyDriver(handle, { isWriter: true }) }),
  });
  try {
    await db.transaction().execute(async (transaction) => {
      // Read the version inside the transaction, because another process may have migrated
      // meanwhile.
      const version = Number(handle.prepare('pragma user_version').get()?.['user_version']);
      await migratePart(transaction, part, { version, dialect: 'sqlite' });
      handle.exec(`pragma application_id = ${applicationId}`);
      handle.exec(`pragma user_version = ${latestVersion(part)}`);
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Whether a file exists. Throws a `Refusal` if this user may not check, or if it is a broken link.
 */
export function isThere(path: string): boolean {
  if (isFound(path)) return true;
  if (!isLink(path)) return false;
  throw new Refusal('database_link_broken', { path });
}

function isFound(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new Refusal('database_folder_closed', { path }, { cause: error });
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function hasKeys(path: string): boolean {
  checkFile(path, schemaParts.access);
  const handle = openHandle(path, { isReadOnly: true });
  try {
    return handle.prepare('select 1 from keys limit 1').get() !== undefined;
  } finally {
    handle.close();
  }
}
