import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../refusals.ts';
import { schemaParts } from '../../migrations/schema-parts.ts';
import { workspaceTables } from '../../workspace-tables.ts';
import { clearDrafts, openDraft } from './draft.ts';
import { backupFolder, refuseTarget } from './folder.ts';
import type { BackupFolder } from './folder.ts';
import { checkFile } from '../files/check.ts';
import type { DatabaseFiles } from '../files/files.ts';
import { openHandle } from '../handle.ts';
import { installationOf, isJoined } from '../files/join-files.ts';
import { refuseMissing } from '../migrate.ts';
import { makeFile } from '../files/new-file.ts';

/** Pages copied between two checks of the signal: 4 MiB in pages of 4 KiB. */
const pagesPerStep = 1024;

interface BackupOptions {
  /** Whether an older backup may be replaced. */
  readonly mayReplace?: boolean;
  readonly clock: () => number;
  /** Stops the backup and leaves nothing behind. */
  readonly signal?: AbortSignal;
  /** Called with the copied share, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Copies the files of a database that may be in use into one folder, and checks the copies. The
 * data is a snapshot of one moment, and the keys are a snapshot just after it, so that a revocation
 * is never lost. Leaves out keys of workspaces that the data does not have. Throws a `Refusal` if
 * the source is missing or damaged, the target exists or cannot be written, a copy fails its check,
 * or the signal aborts.
 */
export async function backupFiles(
  from: DatabaseFiles,
  target: string,
  { mayReplace = false, clock, signal, onProgress = () => {} }: BackupOptions,
): Promise<{ readonly bytes: number }> {
  refuseMissing(from, { mayCreate: false });
  checkFile(from.data, schemaParts.data);
  checkFile(from.access, schemaParts.access);
  if (existsSync(from.ledger)) checkFile(from.ledger, schemaParts.ledger);
  isJoined(from);
  refuseParent(dirname(target));
  const refuse = (): void => refuseTarget(from, target, { mayReplace });
  refuse();
  clearDrafts(dirname(target), clock);
  const draft = openDraft(target);
  try {
    const copy = backupFolder(draft.folder);
    await copyFiles(from, copy, { signal, onProgress });
    refuseStopped(signal);
    dropOrphans(copy);
    closeLedger(copy);
    for (const path of partsOf(copy)) seal(path);
    makeFile(copy.manifest);
    const manifest = {
      made_at: new Date(clock()).toISOString(),
      installation: installationOf(copy),
    };
    writeFileSync(copy.manifest, `${JSON.stringify(manifest)}\n`, { flush: true });
    // Counted in the draft: once it is published, another backup may replace it at any moment.
    const bytes = partsOf(copy).reduce((sum, path) => sum + statSync(path).size, 0);
    refuseStopped(signal);
    draft.publish(refuse);
    return { bytes };
  } finally {
    draft.close();
  }
}

async function copyFiles(
  from: DatabaseFiles,
  to: BackupFolder,
  { signal, onProgress }: { signal: AbortSignal | undefined; onProgress: (share: number) => void },
): Promise<void> {
  for (const path of [to.data, to.access]) makeFile(path);
  const hasLedger = existsSync(from.ledger);
  if (hasLedger) makeFile(to.ledger);
  const data = openHandle(from.data, { isReadOnly: true });
  const access = openHandle(from.access, { isReadOnly: true });
  const ledger = hasLedger ? openHandle(from.ledger, { isReadOnly: true }) : undefined;
  try {
    // In a read transaction SQLite copies a snapshot. Outside of one it would restart whenever
    // another process writes, and never finish during an import.
    beginSnapshot(data);
    beginSnapshot(access);
    if (ledger !== undefined) {
      beginSnapshot(ledger);
      await backup(ledger, to.ledger, { rate: pagesPerStep });
    }
    const progress = ({ totalPages, remainingPages }: Progress): void => {
      refuseStopped(signal);
      onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
    };
    await backup(access, to.access, { rate: pagesPerStep });
    await backup(data, to.data, { rate: pagesPerStep, progress });
  } finally {
    data.close();
    access.close();
    ledger?.close();
  }
}

function partsOf({ data, access, ledger }: DatabaseFiles): string[] {
  return [data, access, ledger].filter((path) => existsSync(path));
}

function refuseStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Refusal('backup_stopped', {});
}

interface Progress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

function beginSnapshot(database: DatabaseSync): void {
  database.exec('begin');
  // The first read takes the snapshot.
  database.prepare('select count(*) from sqlite_schema').get();
}

/**
 * Removes the rows of workspaces that were created or removed between the two snapshots. Also
 * removes sessions, links and tokens, because one that ends after the backup must not return with it.
 */
function dropOrphans(copy: DatabaseFiles): void {
  const access = openHandle(copy.access);
  try {
    access.prepare('attach database ? as data').run(copy.data);
    for (const table of tablesIn(access, workspaceTables.access)) {
      access.exec(
        `delete from ${table} where workspace_id != '' and workspace_id not in (select id from data.workspaces)`,
      );
    }
    const signIns = 'sessions devices links oauth_grants oauth_codes oauth_tokens';
    for (const table of tablesIn(access, signIns.split(' '))) access.exec(`delete from ${table}`);
  } finally {
    access.close();
  }
}

/** Removes the rows of other workspaces from a copied ledger, and marks it as a copy. */
function closeLedger(copy: DatabaseFiles): void {
  if (!existsSync(copy.ledger)) return;
  const ledger = openHandle(copy.ledger);
  try {
    ledger.prepare('attach database ? as data').run(copy.data);
    for (const table of tablesIn(ledger, workspaceTables.ledger)) {
      ledger.exec(
        `delete from ${table} where workspace_id not in (select id from data.workspaces)`,
      );
    }
    markAsCopy(ledger);
  } finally {
    ledger.close();
  }
}

/** Those of the tables that the file has. One of an older version lacks some. */
function tablesIn(database: DatabaseSync, names: readonly string[]): string[] {
  const select = database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?");
  return names.filter((name) => select.get(name) !== undefined);
}

/**
 * Marks a ledger as a copy, so that it keeps the moment at which it is first opened as that of its restore.
 */
export function markAsCopy(ledger: DatabaseSync): void {
  // A ledger of an older version gets the mark from its migration.
  if (tablesIn(ledger, ['ledger_home']).length > 0) {
    ledger.exec(
      "insert into ledger_home (id, home) values ('ledger', '[]') on conflict (id) do update set home = '[]'",
    );
  }
  // Nothing is asked until a person says so, because a copy may be opened only to be looked at.
  ledger.exec("update paces set off_reason = 'restored' where off_reason is null");
}

/** Turns a copy into one file without a log, checks it, and syncs it to disk. */
function seal(path: string): void {
  const database = openHandle(path);
  try {
    database.exec('pragma journal_mode = delete');
    const result = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (result !== 'ok') {
      throw new Refusal('backup_copy_damaged', {});
    }
  } finally {
    database.close();
  }
}

/** Throws a `Refusal` unless backups can be made in the folder. */
export function refuseParent(folder: string): void {
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
      accessSync(folder, constants.R_OK | constants.W_OK);
      return;
    }
  } catch (error) {
    throw new Refusal('backup_parent_unwritable', { folder }, { cause: error });
  }
  throw new Refusal('backup_parent_missing', { folder });
}
