import { existsSync } from 'node:fs';
import { Refusal } from '../../refusals.ts';
import { accessMigrations, dataMigrations } from '../migrations/all.ts';
import { checkFile } from './files/check.ts';
import type { DatabaseFiles } from './files/files.ts';
import { prepareFile } from './migrate.ts';

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
  checkFile(files.data, dataMigrations.length);
  await prepareFile(files.access, accessMigrations);
}
