import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { startServer } from '../../../../test/servers/server-process.ts';
import { restoreFirst } from '../../../../test/stores/first-database.ts';
import { createPostgres, eachDatabase } from '../../../../test/stores/stores.ts';
import { latestVersion } from '../../../storage/migrations/migration.ts';
import { schemaParts } from '../../../storage/migrations/schema-parts.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';

/** The lock that a server holds while it migrates PostgreSQL. */
const migrationLock = 0x4f564844;

/** A query that never ends, so that a test decides how long an upgrade takes. */
const endless =
  'select count(*) from (with recursive c(n) as (select 1 union all select n + 1 from c) select n from c)';

test(
  'a server that counts again answers meanwhile, stops on SIGTERM, and then goes on with the next workspace',
  { tags: ['long'] },
  async () => {
    const database = await newPath();
    for (const slug of ['a', 'b', 'c']) {
      const words = ['create', slug, '--name', slug, '--brand', slug, '--database', database];
      expect(await runCommand(['workspace', ...words])).toMatchObject({ code: 0 });
    }
    const file = new DatabaseSync(database);
    file.exec('update rollup_states set version = 1');
    const second = "(select id from workspaces where slug = 'b')";
    file.exec(
      `create trigger halt after update on rollup_states when new.workspace_id = ${second} begin ${endless}; end`,
    );

    const { url, child, ended, said } = await startOnPort(database);
    await said('workspace 2 of 3');
    const alive = await fetch(`${url}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([
      200,
      { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    ]);
    for (const path of ['/readyz', '/api/v1/scores', '/', '/metrics']) {
      const response = await fetch(url + path);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.json()).toMatchObject({
        code: 'unavailable',
        detail: expect.stringMatching(/^The server is starting\. Counting .* workspace 2 of 3\.$/),
      });
    }
    child.kill('SIGTERM');
    expect((await ended).stderr).toContain('Stopping in the middle of the upgrade.');

    file.exec('drop trigger halt');
    expect(file.prepare('select count(*) as n from rollup_states where version > 1').get()).toEqual(
      {
        n: 1,
      },
    );
    file.close();
    const again = await startServer(database);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    const { code, stderr } = await again.stop();
    expect(code).toBe(0);
    expect(stderr).toMatch(/workspace 1 of 2\.\n.*workspace 2 of 2\.\nOverheard listens on/);
  },
);

test(
  'an older database is backed up before its upgrade, and a kill during it leaves that backup as it is',
  { tags: ['long'] },
  async () => {
    const database = await newPath();
    await restoreFirst(database, 'sqlite', {
      data: `insert into revisions values ('w', 'r'); insert into unsettled_days values ('w', 1);
      create trigger halt after update on unsettled_days begin ${endless}; end`,
    });
    const folder = dirname(database);
    const backup = join(folder, 'before-upgrade');
    const killed = await startOnPort(database);
    const { access } = databaseFiles(database);
    const latest = latestVersion(schemaParts.access);
    while (versionOf(access) !== latest) await sleep(20);
    const { detail } = z
      .object({ detail: z.string() })
      .parse(await (await fetch(`${killed.url}/readyz`)).json());
    expect(detail).toBe('The server is starting. Upgrading the database.');
    killed.child.kill('SIGKILL');
    await killed.ended;
    const made = readFileSync(join(backup, 'backup.json'), 'utf8');

    const file = new DatabaseSync(database);
    file.exec('drop trigger halt');
    file.close();
    const again = await startServer(database);
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    expect((await again.stop()).stderr).not.toContain('Backing up');
    expect(readFileSync(join(backup, 'backup.json'), 'utf8')).toBe(made);
    expect(versionOf(database)).toBe(latestVersion(schemaParts.data));
    const kept = databaseFiles(join(backup, 'overheard.db'));
    expect([versionOf(kept.data), versionOf(kept.access)]).toEqual([
      schemaParts.data.oldest,
      schemaParts.access.oldest,
    ]);
    // After the backup was restored and used, keys may have changed: it is made anew.
    expect(await runCommand(['restore', backup, '--database', database])).toMatchObject({
      code: 0,
    });
    const restored = new DatabaseSync(database);
    restored.exec('drop trigger halt');
    restored.close();
    expect(await runCommand(['workspace', 'list', '--database', database])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(join(backup, 'backup.json'), 'utf8')).not.toBe(made);
  },
);

eachDatabase({ title: '--wait-for-database', onBoth: true }, (create, dialect) => {
  test(
    'a server waits for a database that is not there yet, and says so',
    { tags: ['once'] },
    async () => {
      const url = await create({ isMigrated: false });
      const missing =
        dialect === 'postgres'
          ? Object.assign(new URL(url), { pathname: `/late_${process.pid}` }).href
          : `${url}.late`;
      const server = await startOnPort(missing, ['--wait-for-database']);
      // The operator alone is told where the database is.
      await server.said(dialect === 'postgres' ? `late_${process.pid}` : missing);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      const { detail } = z
        .object({ detail: z.string() })
        .parse(await (await fetch(`${server.url}/readyz`)).json());
      expect(detail).toBe('The server is starting. Waiting for the database.');
      if (dialect === 'postgres') {
        const client = new Client({ connectionString: url });
        await client.connect();
        await client.query(
          `create database late_${process.pid} encoding 'UTF8' template template0`,
        );
        onTestFinished(async () => {
          await client.query(`drop database late_${process.pid} with (force)`);
          await client.end();
        });
      } else {
        const words = ['create', 'a', '--name', 'A', '--brand', 'A', '--database', missing];
        await runCommand(['workspace', ...words]);
      }
      await server.said('listens on');
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      server.child.kill('SIGKILL');
      await server.ended;
    },
  );
});

test('a server that waits for the migration of another server stops on SIGTERM', async () => {
  const url = await createPostgres();
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  const { child, ended } = await startOnPort(url);
  const isWaiting = `select 1 from pg_locks join pg_database on oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`;
  while ((await client.query(isWaiting)).rows.length === 0) await sleep(20);
  child.kill('SIGTERM');
  // A stop after waiting in vain would be 143.
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

function versionOf(path: string): unknown {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  const version = file.prepare('pragma user_version').get()?.['user_version'];
  file.close();
  return version;
}

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-starting-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'overheard.db');
}

/** Starts a server that is not ready, on a free port. */
async function startOnPort(database: string, options: readonly string[] = []) {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  free.close();
  await once(free, 'close');
  const args = ['serve', '--port', String(port), '--database', database, ...options];
  const { child, ended } = spawnCommand(args);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += String(chunk)));
  const said = async (words: string) => {
    while (!text.includes(words)) await sleep(20);
  };
  return { url: `http://127.0.0.1:${port}`, child, ended, said };
}
