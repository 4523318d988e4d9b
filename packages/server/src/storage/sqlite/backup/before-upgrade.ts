import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../../../refusals.ts';
import { latestVersion } from '../../migrations/migration.ts';
import { schemaParts } from '../../migrations/schema-parts.ts';
import { checkFile } from '../files/check.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { installationOf } from '../files/join-files.ts';
import { openHandle } from '../handle.ts';
import { backupFiles } from './backup-files.ts';
import { backupFolder } from './folder.ts';

/**
 * What opening the database will do with its files: create what is missing, migrate what is older, or
 * nothing. Throws a `Refusal` for a file that cannot be used.
 */
export function stateOf(files: DatabaseFiles): 'incomplete' | 'older' | 'current' {
  const parts = ['access', 'data'] as const;
  if (parts.some((part) => !existsSync(files[part]))) return 'incomplete';
  return parts.some((part) => isOlderPart(files, part)) ? 'older' : 'current';
}

function isOlderPart(files: DatabaseFiles, part: 'access' | 'data'): boolean {
  const { version } = checkFile(files[part], schemaParts[part]);
  return version < latestVersion(schemaParts[part]);
}

/**
 * Backs up a database that is to be migrated, as `before-upgrade` in the folder. Keeps the backup of
 * an upgrade that was cut off after it had migrated the keys, which come first. Throws a `Refusal` if
 * no backup can be made.
 */
export async function backUpBeforeUpgrade(
  files: DatabaseFiles,
  {
    folder = dirname(files.data),
    clock,
    onBegin,
  }: { folder?: string | undefined; clock: () => number; onBegin: (target: string) => void },
): Promise<void> {
  const target = join(folder, 'before-upgrade');
  const made = backupFolder(target);
  const isCutOff = existsSync(made.manifest) && !isOlderPart(files, 'access');
  if (isCutOff && hasSameState(files, made)) return;
  onBegin(target);
  await backupFiles(files, target, { mayReplace: true, clock });
}

function hasSameState(files: DatabaseFiles, made: DatabaseFiles): boolean {
  let kept: string;
  try {
    if (installationOf(made) !== installationOf(files)) {
      throw new Refusal('backups_of_another', { folder: dirname(made.data) });
    }
    kept = revisionsIn(made);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return false;
  }
  return kept === revisionsIn(files);
}

/** Every write of a workspace's data draws a new revision. */
function revisionsIn({ data }: DatabaseFiles): string {
  const database = openHandle(data, { isReadOnly: true });
  try {
    const rows = database.prepare('select * from revisions order by workspace_id').all();
    return JSON.stringify(rows);
  } finally {
    database.close();
  }
}
