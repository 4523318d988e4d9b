import { existsSync } from 'node:fs';
import { CommandError } from '../../problems.ts';
import { accessMigrations, dataMigrations } from '../migrations/all.ts';
import { checkFile } from './check.ts';
import type { DatabaseFiles } from './files.ts';
import { prepareFile } from './migrate.ts';

/**
 * Makes an empty file of keys beside the data, for who has lost it. Throws a `CommandError` where
 * one is there, or no sound data is.
 */
export async function createKeysFile(files: DatabaseFiles): Promise<void> {
  if (existsSync(files.access)) {
    throw new CommandError(`${files.access} is there: nothing was made.`);
  }
  if (!existsSync(files.data)) {
    throw new CommandError(`There is no database at ${files.data}: nothing was made.`);
  }
  checkFile(files.data, dataMigrations.length);
  await prepareFile(files.access, accessMigrations);
}
