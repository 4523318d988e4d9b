import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../../refusals.ts';
import type { DatabaseFiles } from './files.ts';
import { openHandle } from '../handle.ts';

/**
 * Makes sure that both files belong to one installation. A new file gets the id here. Throws a `Refusal` if the files belong to different
 * installations, because every key would be unknown, or would open someone else's workspace.
 */
export function joinFiles(files: DatabaseFiles): void {
  if (isJoined(files)) return;
  const database = openHandle(files.data);
  try {
    database.prepare('attach database ? as access').run(files.access);
    database.exec('begin immediate');
    // Read again, because another process may have joined the files in between.
    const installationId = idOf(database, 'main') ?? idOf(database, 'access');
    const id = installationId ?? randomUUID();
    for (const part of ['main', 'access'] as const) {
      if (idOf(database, part) !== undefined) continue;
      database.prepare(`insert into ${part}.installation (id) values (?)`).run(id);
    }
    database.exec('commit');
  } finally {
    database.close();
  }
}

/**
 * Whether both files have the same installation's id. False if one file is new. Throws a `Refusal` if they belong to different installations. Changes nothing.
 */
export function isJoined(files: DatabaseFiles): boolean {
  const database = openHandle(files.data, { isReadOnly: true });
  try {
    database.prepare('attach database ? as access').run(files.access);
    const [ofData, ofAccess] = [idOf(database, 'main'), idOf(database, 'access')];
    if (ofData !== undefined && ofAccess !== undefined) {
      if (ofData === ofAccess) return true;
      throw installationsRefusal(files);
    }
    return false;
  } finally {
    database.close();
  }
}

/** The id of the installation that a file of data belongs to; undefined if it has none yet. */
export function installationOf({ data }: DatabaseFiles): string | undefined {
  const database = openHandle(data, { isReadOnly: true });
  try {
    return idOf(database, 'main');
  } finally {
    database.close();
  }
}

/** Gives a new ledger the id of its installation. Throws a `Refusal` for the ledger of another one. */
export function joinLedger({ data, ledger }: DatabaseFiles): void {
  const [ofData, ofLedger] = [openHandle(data, { isReadOnly: true }), openHandle(ledger)];
  try {
    const id = idOf(ofData, 'main') ?? '';
    ofLedger
      .prepare('insert into installation select ? where not exists (select 1 from installation)')
      .run(id);
    if (idOf(ofLedger, 'main') !== id) throw installationsRefusal({ data, access: ledger });
  } finally {
    ofData.close();
    ofLedger.close();
  }
}

function idOf(database: DatabaseSync, part: 'main' | 'access'): string | undefined {
  const id = database.prepare(`select id from ${part}.installation`).get()?.['id'];
  return typeof id === 'string' ? id : undefined;
}

function installationsRefusal({ data, access }: Pick<DatabaseFiles, 'data' | 'access'>): Refusal {
  return new Refusal('installations_differ', { data, access });
}
