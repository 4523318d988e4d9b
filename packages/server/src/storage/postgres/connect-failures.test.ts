import { writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { startPostgres } from '../../../test/stores/postgres.ts';
import { openStore } from '../open/open-store.ts';

/** The commands that connect in ways of their own. */
const commands = [['workspace', 'list'], ['doctor'], ['serve', '--port', '0']];

/** What each command says: a line that says what to do, without the password; it ends with 1. */
async function refusals(url: string): Promise<string[]> {
  return Promise.all(
    commands.map(async (command) => {
      const { code, stdout, stderr } = await runCommand([...command, '--database', url]);
      const isDoctor = command.includes('doctor');
      const said = isDoctor ? stdout.replace(/\n +-> /, ' ') : stderr;
      expect(said).toMatch(/^[^\n]+\. [^\n]+\.\n$/);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stdout + stderr).not.toContain('pw-secret');
      return said;
    }),
  );
}

/** That every command says it. */
function each(sentence: RegExp): unknown[] {
  return commands.map(() => expect.stringMatching(sentence));
}

describe('a connection that fails', () => {
  let url = '';

  beforeAll(async () => {
    const postgres = await startPostgres();
    url = postgres.url;
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`create role scram login superuser password 'right'`);
    const { rows } = await client.query<{ hba_file: string }>('show hba_file');
    writeFileSync(
      rows[0]?.hba_file ?? '',
      [
        'host all scram 127.0.0.1/32 scram-sha-256',
        'host all postgres 127.0.0.1/32 trust',
        '',
      ].join('\n'),
    );
    await client.query('select pg_reload_conf()');
    await client.end();
    return () => postgres.stop();
  });

  test.each<readonly [what: string, change: Partial<URL>, sentence: RegExp]>([
    ['for a wrong password', { username: 'scram', password: 'pw-secret' }, /refuses this password/],
    ['for an unknown database', { pathname: '/missing' }, /no database of this name, missing/],
    ['without TLS there', { search: '?sslmode=require' }, /has no TLS.* sslmode=disable/],
    [
      'at a port where nothing is',
      { port: '1' },
      /Nothing accepts connections at 127\.0\.0\.1:1\./,
    ],
  ])('%s is one sentence that says what to do', async (_, change, sentence) => {
    expect(await refusals(Object.assign(new URL(url), change).href)).toEqual(each(sentence));
  });

  test('a running server responds with 503 if its database password was changed', async () => {
    const other = Object.assign(new URL(url), { username: 'scram', password: 'right' }).href;
    const store = await openStore(other, { mayCreate: true });
    onTestFinished(() => store.close());
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await store.ping();
    await client.query(`alter role scram password 'changed'`);
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'scram'`,
    );
    await expect
      .poll(() => store.ping().catch((error: unknown) => String(error)))
      .toMatch(/^Refusal: database_unreachable/);
    await client.query(`alter role scram password 'right'`);
    await store.ping();
  });
});
