import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import {
  addEngine,
  answered,
  noon,
  plantedKey,
  startCollecting,
} from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { execute } from '../../../../test/stores/postgres.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { readRestore } from '../../../storage/ledger-home.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import type { DatabaseFiles } from '../../../storage/sqlite/files/files.ts';

const hourMs = 3_600_000;
const prompts = 3;
const run = 'collect run --workspace acme --now --at-once 1';
/** In the second of three sweeps, and in the third one. */
const at = { backup: noon - 3 * hourMs, restore: noon, evening: noon + 6 * hourMs } as const;

function runAt(url: string, line: string, ms: number): Promise<Outcome> {
  return runCommand([...line.split(' '), '--database', url], {
    clock: () => ms,
    environment: { OWN_KEY: plantedKey },
    mayReachPrivate: true,
  });
}

/** Puts the files of a backup in the place of the database, as the restore page says. */
function restoreFiles(folder: string, to: DatabaseFiles): void {
  const from = databaseFiles(join(folder, 'overheard.db'));
  for (const part of ['data', 'access', 'ledger'] as const) {
    for (const log of ['-wal', '-shm']) rmSync(`${to[part]}${log}`, { force: true });
    copyFileSync(from[part], to[part]);
  }
}

function moveFiles(folder: string, to: DatabaseFiles): void {
  const from = databaseFiles(join(folder, 'overheard.db'));
  for (const part of ['data', 'access', 'ledger'] as const) {
    for (const log of ['-wal', '-shm']) rmSync(`${to[part]}${log}`, { force: true });
    renameSync(from[part], to[part]);
  }
}

async function backUp(here: Collecting): Promise<{ folder: string; files: DatabaseFiles }> {
  const files = databaseFiles(here.url.slice('file:'.length));
  const folder = join(dirname(files.data), 'copy');
  await runAt(here.url, `backup ${folder}`, at.backup);
  return { folder, files };
}

/** Restores at noon, switches the engine on, and asks. */
async function expectNothingTwice(here: Collecting, url: string): Promise<void> {
  const asked = here.sent.length;
  const said =
    'The ledger was restored at 2026-11-20T12:00:00.000Z. Sweeps of today that had begun before then may have been asked, so they are not asked again.';
  expect((await runAt(url, addEngine(here), at.restore)).stderr).toContain(said);
  const plan = await runAt(url, 'collect plan --workspace acme --json', at.restore);
  expect(JSON.parse(plan.stdout).groups).toMatchObject([{ sweep: 3, asked: 0 }]);
  await runAt(url, run, at.restore);
  expect(here.sent).toHaveLength(asked);
  // The sweep that began after the restore is asked, and nothing else.
  await runAt(url, run, at.evening);
  expect(here.sent).toHaveLength(asked + prompts);
  await runAt(url, run, at.evening + 24 * hourMs);
  expect(here.sent).toHaveLength(asked + 2 * prompts);
}

eachDatabase({ title: 'a restored ledger', onBoth: true }, (create, dialect) => {
  test.runIf(dialect === 'sqlite')(
    'a backup that was made after a plan of the sweep and is restored on the same day asks no question again',
    async () => {
      const here = await startCollecting(await create(), { prompts }, answered);
      await runAt(here.url, 'collect run --workspace acme', at.backup - 9 * hourMs);
      const { folder, files } = await backUp(here);
      const before = here.sent.length;
      await runAt(here.url, run, at.restore - hourMs);
      expect(here.sent.length).toBeGreaterThanOrEqual(before + prompts);
      restoreFiles(folder, files);
      await expectNothingTwice(here, here.url);
    },
  );

  test.runIf(dialect === 'sqlite').for([
    ['is moved', moveFiles],
    ['is used where it is', undefined],
  ] as const)(
    'a backup that was looked at before it %s asks no question again',
    async ([, put]) => {
      const here = await startCollecting(await create(), { prompts }, answered);
      const { folder, files } = await backUp(here);
      const inPlace = `file:${join(folder, 'overheard.db')}`;
      await runAt(inPlace, 'collect status --workspace acme', at.backup - 2 * hourMs);
      await runAt(here.url, run, at.restore - hourMs);
      put?.(folder, files);
      await expectNothingTwice(here, put === undefined ? inPlace : here.url);
    },
  );

  test.runIf(dialect === 'sqlite')(
    'a ledger that replaces a lost one asks no question again',
    async () => {
      const here = await startCollecting(await create(), { prompts }, answered);
      await runAt(here.url, run, at.restore - hourMs);
      const { ledger } = databaseFiles(here.url.slice('file:'.length));
      for (const log of ['', '-wal', '-shm']) rmSync(`${ledger}${log}`, { force: true });
      const asked = here.sent.length;
      await runAt(here.url, addEngine(here), at.restore);
      await runAt(here.url, 'budget set --workspace acme --day 1 --month 10', at.restore);
      await runAt(here.url, run, at.restore);
      expect(here.sent).toHaveLength(asked);
      await runAt(here.url, run, at.evening);
      expect(here.sent).toHaveLength(asked + prompts);
    },
  );

  test.runIf(dialect === 'sqlite')(
    'a copy of the files in another folder counts as restored, and a database that is only moved does not',
    async () => {
      const here = await startCollecting(await create(), { prompts }, answered);
      await runAt(here.url, run, at.restore - hourMs);
      const from = databaseFiles(here.url.slice('file:'.length));
      const folder = mkdtempSync(join(dirname(from.data), 'other-'));
      const [copied, moved] = ['copied.db', 'moved.db'].map((name) => join(folder, name));
      for (const part of ['data', 'access', 'ledger'] as const) {
        copyFileSync(from[part], databaseFiles(copied ?? '')[part]);
        renameSync(from[part], databaseFiles(moved ?? '')[part]);
      }
      const restoredAt = async (url: string) => {
        await runAt(url, 'collect status --workspace acme', at.restore);
        const store = await openStore(url);
        onTestFinished(() => store.close());
        const ledger = await store.ledger();
        return (ledger && (await readRestore(ledger)))?.restoredAt;
      };
      expect(await restoredAt(`file:${copied}`)).toBe('2026-11-20T12:00:00.000Z');
      expect(await restoredAt(`file:${moved}`)).toBeNull();
    },
  );

  test.runIf(dialect === 'postgres')(
    'a dump that is restored into another database asks no question again, and doctor demands to be told',
    async () => {
      const here = await startCollecting(await create(), { prompts }, answered);
      await runAt(here.url, run, at.backup - 9 * hourMs);
      const copy = await copyDatabase(here.url);
      await runAt(here.url, run, at.restore - hourMs);
      const doctor = await runAt(copy, 'doctor', at.restore);
      expect(doctor).toMatchObject({ code: 1 });
      expect(doctor.stdout).toMatch(/problem +engines +The database was restored or moved/);
      expect(doctor.stdout).toContain(
        'Run `overheard database restored --database "$OVERHEARD_DATABASE"` before anything asks engines.',
      );
      expect((await runAt(here.url, 'doctor', at.restore)).stdout).toMatch(/ok +engines/);
      await expectNothingTwice(here, copy);
      expect((await runAt(copy, 'doctor', at.restore)).stdout).toMatch(/ok +engines/);
    },
  );

  test.runIf(dialect === 'postgres')(
    'users with different rights on one PostgreSQL are not taken for a restore',
    async () => {
      const here = await startCollecting(await create(), { prompts }, answered);
      const user = `limited_${randomUUID()}`;
      await execute(
        here.url,
        `create role "${user}" login;
         grant all on schema public to "${user}";
         grant all on all tables in schema public to "${user}";
         revoke execute on function pg_control_system() from public`,
      );
      onTestFinished(() => execute(here.url, `drop owned by "${user}"; drop role "${user}"`));
      const limited = new URL(here.url);
      limited.username = user;
      for (const [place, url] of [limited.href, here.url, limited.href].entries()) {
        await runAt(url, run, noon + 8 * place * hourMs);
        expect(here.sent).toHaveLength(prompts * (place + 1));
      }
    },
  );

  test.runIf(dialect === 'postgres')(
    'a PostgreSQL that refuses the functions of its log, as Aurora does, collects',
    async () => {
      const here = await startCollecting(await create(), { prompts }, answered);
      await execute(
        here.url,
        `create function public.pg_current_wal_lsn() returns pg_lsn language plpgsql as
           $$ begin raise 'wal_level must be set to ''logical''' using errcode = '55000'; end $$;
         alter database "${new URL(here.url).pathname.slice(1)}" set search_path to public, pg_catalog`,
      );
      await runAt(here.url, run, noon);
      expect(here.sent).toHaveLength(prompts);
    },
  );

  test('after a restore that cannot be seen, the command says so, and no question is asked again', async () => {
    const here = await startCollecting(await create(), { prompts }, answered);
    await runAt(here.url, run, at.backup - 9 * hourMs);
    await runAt(here.url, run, at.restore - hourMs);
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const ledger = await store.ledger();
    // The state of this morning, in the same place.
    await ledger?.write((db) => db.deleteFrom('readings').where('sweep', '=', 1).execute());
    const told = await runAt(here.url, 'database restored', at.restore);
    expect(told.stderr).toContain(
      'Noted that the database was restored at 2026-11-20T12:00:00.000Z. Of today, sweeps that had begun before then are not asked.',
    );
    await expectNothingTwice(here, here.url);
  });
});

/** As a dump that is restored into a database of another name. */
async function copyDatabase(url: string): Promise<string> {
  const [from, to] = [new URL(url), new URL(url)];
  const name = from.pathname.slice(1);
  to.pathname = `/${name}_copy`;
  const server = new URL(url);
  server.pathname = '/postgres';
  const client = new Client({ connectionString: server.href });
  await client.connect();
  try {
    await client.query(`create database "${name}_copy" template "${name}"`);
  } finally {
    await client.end();
  }
  return to.href;
}
