import { chmodSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { startPostgres } from '../../../../test/stores/postgres.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { diagnose } from '../../../storage/open/diagnose.ts';
import type { Finding } from '../../../storage/finding.ts';
import { sqlitePath } from '../../../storage/open/database-url.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import type { DatabaseFiles } from '../../../storage/sqlite/files/files.ts';

eachDatabase({ title: 'overheard doctor', onBoth: true }, (create, dialect) => {
  test(
    'overheard doctor finds a database that works well, in words and as JSON, and changes nothing',
    { tags: ['once'] },
    async () => {
      const url = await create();
      await acme(url);
      const spoken = await doctor(url);
      expect(spoken).toMatchObject({ code: 0, stderr: 'No problem found.\n' });
      expect(spoken.stdout).not.toMatch(/^(warning|problem)/m);
      const outcome = await doctor(url, '--json');
      const checks = checksOf(outcome);
      expect(checks).toContain('schema ok');
      expect(checks).toContain('clock ok');
      expect(checks).toContain(dialect === 'sqlite' ? 'integrity ok' : 'citus ok');
    },
  );

  test('overheard doctor notices a clock that is far off', { tags: ['once'] }, async () => {
    const url = await create();
    await acme(url);
    await runCommand(['key', 'create', '--workspace', 'acme', '--database', url]);
    const clock = (): number => Date.now() - 3 * 3_600_000;
    const found = (await diagnose(url, { clock })).find(({ check }) => check === 'clock');
    expect(found).toMatchObject({ state: 'warning' });
    expect(found?.advice).toContain('NTP');
  });
});

eachDatabase({ title: 'overheard doctor on files', onBoth: true }, (create, dialect) => {
  test.runIf(dialect === 'sqlite')(
    'overheard doctor names what is wrong with each file',
    async () => {
      const files = await fresh(create);
      const url = `file:${files.data}`;
      writeFileSync(`${files.data}.00000000-0000-4000-8000-000000000000.new`, '');
      expect(checksOf(await doctor(url, '--json'))).toContain('leftovers warning');
      truncateSync(files.data, 8192);
      const truncated = await doctor(url);
      expect(truncated.code).toBe(1);
      expect(truncated.stdout).toContain('damaged or truncated');
    },
  );

  test.runIf(dialect === 'sqlite' && process.platform !== 'win32')(
    'overheard doctor reports files that other users may read, and a folder that they may write, until they are closed',
    async () => {
      const files = await fresh(create);
      const url = `file:${files.data}`;
      const folder = dirname(files.data);
      chmodSync(files.data, 0o644);
      chmodSync(files.access, 0o640);
      chmodSync(folder, 0o777);
      const spoken = await doctor(url);
      expect(spoken.code).toBe(0);
      for (const line of [`chmod 600 ${files.data}*`, `chmod 600 ${files.access}*`]) {
        expect(spoken.stdout).toContain(`${line}\n`);
      }
      expect(spoken.stdout).toContain(`chmod 700 ${folder}\n`);
      chmodSync(folder, 0o700);
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o600);
      expect((await doctor(url)).stdout).not.toContain('chmod');
    },
  );

  test.runIf(dialect === 'sqlite')('a lost file of keys is made anew when asked for', async () => {
    const files = await fresh(create);
    const url = `file:${files.data}`;
    expect(await doctor(url, '--new-keys-file')).toMatchObject({ code: 1, stdout: '' });
    for (const suffix of ['', '-wal', '-shm']) rmSync(files.access + suffix, { force: true });
    const lost = await doctor(url);
    expect(lost.code).toBe(1);
    expect(lost.stdout).toContain('--new-keys-file');
    const made = await doctor(url, '--new-keys-file');
    expect(made.code).toBe(0);
    expect(made.stderr).toContain('every old one is void');
    expect(await runCommand(['key', 'list', '--database', url])).toMatchObject({ code: 0 });
  });
});

eachDatabase({ title: 'overheard doctor on a server', onBoth: true }, (create, dialect) => {
  test.runIf(dialect === 'postgres')(
    'overheard doctor on a server names another encoding, a read-only database, a missing right and an older schema',
    async () => {
      const url = await create();
      await acme(url);
      const name = new URL(url).pathname.slice(1);
      const role = `doctored_${process.pid}`;
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        await client.query('update schema_versions set version = 1');
        expect(await checksAt(url)).toContain('schema problem');
        expect(await checksAt(url)).toContain('permissions ok');
        expect(await checksAt(url)).toContain('connections ok');

        await client.query(`create role ${role} login`);
        await client.query(`grant select on schema_versions to ${role}`);
        expect(await checksAt(as(url, { username: role }))).toContain('permissions problem');
        await client.query(`alter database ${name} set default_transaction_read_only = on`);
        expect(await checksAt(url)).toContain('permissions problem');

        const other = `${name}_ascii`;
        await client.query(
          `create database ${other} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
        );
        const ascii = as(url, { pathname: other });
        expect(await checksAt(ascii)).toContain('encoding problem');
        // What is compared by code points must be stored so: nothing is made there.
        expect(await acme(ascii)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^The database's encoding is SQL_ASCII; [^\n]+\n$/),
        });
        await client.query(`drop database ${other} with (force)`);
      } finally {
        await client.query(`drop owned by ${role}`);
        await client.query(`drop role ${role}`);
        await client.end();
      }
    },
  );
});

test('a PostgreSQL server with no room for another server is a warning', async () => {
  const postgres = await startPostgres({ connectionsMax: 20 });
  onTestFinished(() => postgres.stop());
  expect(await checksAt(postgres.url)).toContain('connections warning');
});

function doctor(url: string, ...args: string[]): Promise<Outcome> {
  return runCommand(['doctor', ...args, '--database', url]);
}

function acme(url: string): Promise<Outcome> {
  const brand = ['--name', 'Acme', '--brand', 'Acme'];
  return runCommand(['workspace', 'create', 'acme', ...brand, '--database', url]);
}

async function fresh(create: () => Promise<string>): Promise<DatabaseFiles> {
  const url = await create();
  await acme(url);
  return databaseFiles(sqlitePath(url));
}

function as(url: string, change: { username?: string; pathname?: string }): string {
  return Object.assign(new URL(url), change).href;
}

async function checksAt(url: string): Promise<string[]> {
  return checksOf(await doctor(url, '--json'));
}

/** `schema ok`, `disk warning`, ... */
function checksOf({ stdout }: Outcome): string[] {
  const { findings }: { findings: Finding[] } = JSON.parse(stdout);
  return findings.map(({ check, state }) => `${check} ${state}`);
}
