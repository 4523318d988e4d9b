import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { Refusal } from '../../refusals.ts';
import type { DatabaseFiles } from './files/files.ts';
import { isCorrupt, mapSqliteFailure } from './failures.ts';

/**
 * The check reads about a gigabyte in two seconds. Larger files are only checked by `overheard
 * doctor`.
 */
const checkBytesMax = 2 * 1024 ** 3;

/** Remembers whether the files are damaged. Once damage is noticed, nothing is served any more. */
export interface DamageWatch {
  /** Turns SQLite's errors into ours, and remembers an error that means that a file is damaged. */
  mapFailure(error: unknown): unknown;
  /** Set once damage has been noticed. */
  found?: Refusal;
  /** Checks the files' structure in a separate process. Returns a function that ends it. */
  checkInBackground(files: DatabaseFiles): () => void;
}

/** Watches one open database. `onDamage` is called the first time. */
export function watchDamage(onDamage: (refusal: Refusal) => void): DamageWatch {
  const watch: DamageWatch = { mapFailure, checkInBackground };
  return watch;

  function mapFailure(error: unknown): unknown {
    const mapped = mapSqliteFailure(error);
    if (isCorrupt(error)) note(error);
    return mapped;
  }

  function note(cause: unknown): void {
    if (watch.found !== undefined) return;
    watch.found = new Refusal('database_damage_found', {}, { cause });
    onDamage(watch.found);
  }

  function checkInBackground({ data, access }: DatabaseFiles): () => void {
    const bytes = statSync(data).size + statSync(access).size;
    if (bytes > checkBytesMax) return () => {};
    // Use a process instead of a thread, because a thread inside SQLite would delay the end of this
    // process.
    const child = execFile(
      process.execPath,
      ['--eval', checkProgram, '--', data, access],
      { env: {} },
      (_error, damaged) => {
        if (damaged !== '') note(new Error(`The structure of ${damaged.trim()} is not sound.`));
      },
    );
    child.unref();
    return () => void child.kill('SIGKILL');
  }
}

/** Prints the first file whose structure is damaged. Files that it cannot read are skipped. */
const checkProgram = `
const { DatabaseSync } = require('node:sqlite');
try { require('node:os').setPriority(10); } catch {}
for (const path of process.argv.slice(1)) {
  let result = 'ok';
  try {
    result = new DatabaseSync(path, { readOnly: true, timeout: 10_000 })
      .prepare('pragma quick_check(1)').get().quick_check;
  } catch (error) {
    if ([11, 26].includes(error.errcode & 0xff)) result = 'unreadable';
  }
  if (result !== 'ok') { console.log(path); break; }
}
`;
