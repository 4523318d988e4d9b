import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openHandle } from '../../src/storage/sqlite/handle.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import { createAcme } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const backupCases = {
  backup_of_postgres: {
    facts: () => ({ target: 'a.dump', address: 'postgres://ada@db/overheard' }),
    provoke: () =>
      runCommand(['backup', 'a.dump', '--database', 'postgres://ada:secret@db/overheard']),
  },
  backup_target_is_database: {
    facts: (folder) => ({ target: join(folder, 'test.db') }),
    provoke: (place) => backUp(place, 'test.db'),
  },
  backup_target_is_file: {
    facts: (folder) => ({ target: join(folder, 'other.db') }),
    provoke: async (place) => {
      const other = ['--database', join(place.folder, 'other.db')];
      const words = ['--name', 'Other', '--brand', 'Other'];
      await runCommand(['workspace', 'create', 'other', ...words, ...other]);
      return backUp(place, 'other.db');
    },
  },
  backup_target_foreign: {
    facts: (folder) => ({ target: join(folder, 'notes') }),
    provoke: async (place) => {
      await mkdir(join(place.folder, 'notes'));
      await writeFile(join(place.folder, 'notes', 'today.txt'), 'buy milk');
      return backUp(place, 'notes');
    },
  },
  backup_exists: {
    facts: (folder) => ({ target: join(folder, '2026-11-20') }),
    provoke: async (place) => {
      await backUp(place, '2026-11-20');
      return backUp(place, '2026-11-20');
    },
  },
  backup_copy_damaged: {
    facts: () => ({}),
    provoke: async (place) => {
      await createAcme(place);
      const handle = openHandle(join(place.folder, 'test.db'));
      // An index without the entries of its table: SQLite reads it, and only a full check sees it.
      handle.exec(
        'create table damaged (text text); insert into damaged values (1); create index lost on damaged (text); create table empty (text text); create index none on empty (text)',
      );
      handle.enableDefensive(false);
      handle.exec(
        "pragma writable_schema = on; update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'none') where name = 'lost'; delete from sqlite_schema where name = 'none'",
      );
      handle.close();
      return backUp(place, '2026-11-20');
    },
  },
  backup_stopped: {
    facts: () => ({}),
    provoke: async (place) => {
      await createAcme(place);
      const backup = ['backup', join(place.folder, '2026-11-20'), '--database', place.url];
      const outcome = await runCommand(backup, { signal: AbortSignal.abort() });
      // Interrupted: 130 instead of the code of the refusal.
      return { ...outcome, code: outcome.code === 130 ? 1 : outcome.code };
    },
  },
} as const satisfies Partial<RefusalCases>;

async function backUp(place: Place, name: string): Promise<Outcome> {
  await createAcme(place);
  return place.run('backup', join(place.folder, name));
}
