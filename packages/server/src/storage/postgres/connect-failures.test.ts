import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../test/commands/spawn-command.ts';
import { startWire } from '../../../test/stores/database-wire.ts';
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
  let sockets = '';
  /** A file in which every role has its password. */
  let passfile = '';

  beforeAll(async () => {
    const postgres = await startPostgres();
    url = postgres.url;
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`create role scram login superuser password 'right'`);
    await client.query('create role stranger login');
    const { rows } = await client.query<{ hba_file: string }>('show hba_file');
    writeFileSync(
      rows[0]?.hba_file ?? '',
      [
        'local all scram scram-sha-256',
        'host all scram 127.0.0.1/32 scram-sha-256',
        'hostssl all stranger 127.0.0.1/32 trust',
        'host all postgres 127.0.0.1/32 trust',
        'host all nobody_knows 127.0.0.1/32 trust',
        '',
      ].join('\n'),
    );
    await client.query('select pg_reload_conf()');
    const found = await client.query<{ folder: string }>(
      `select current_setting('unix_socket_directories') as folder`,
    );
    sockets = found.rows[0]?.folder ?? '';
    await client.end();
    const folder = mkdtempSync(join(tmpdir(), 'overheard-test-'));
    passfile = join(folder, 'passwords');
    writeFileSync(passfile, `# a comment\n*:*:*:scram:right\n`, { mode: 0o600 });
    return async () => {
      rmSync(folder, { recursive: true });
      await postgres.stop();
    };
  });

  test.each<readonly [what: string, change: Partial<URL>, sentence: RegExp]>([
    ['without a password', { username: 'scram' }, /asks for a password, .* PGPASSWORD/],
    ['for a wrong password', { username: 'scram', password: 'pw-secret' }, /refuses this password/],
    ['for an unknown user', { username: 'nobody_knows' }, /refuses this user, nobody_knows/],
    ['for an unknown database', { pathname: '/missing' }, /no database of this name, missing/],
    ['where TLS is demanded', { username: 'stranger' }, /does not let stranger connect .* TLS/],
    ['without TLS there', { search: '?sslmode=require' }, /has no TLS.* sslmode=disable/],
    ['for an unknown host', { hostname: 'host.invalid' }, /host\.invalid/],
    [
      'at a port where nothing is',
      { port: '1' },
      /Nothing accepts connections at 127\.0\.0\.1:1\./,
    ],
    [
      'at a socket that is not there',
      { search: '?host=/nowhere' },
      /no socket \/nowhere\/\.s\.PGSQL\./,
    ],
  ])('%s is one sentence that says what to do', async (_, change, sentence) => {
    expect(await refusals(Object.assign(new URL(url), change).href)).toEqual(each(sentence));
  });

  test('a server that never responds is reported in one sentence', { tags: ['long'] }, async () => {
    const silent = await listen(() => {});
    expect(await refusals(silent)).toEqual(each(/does not respond at 127\.0\.0\.1:/));
  });

  test('a server other than PostgreSQL is reported in one sentence', async () => {
    const other = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await refusals(other)).toEqual(each(/closed the connection before it was ready/));
    const brokenTls = await listen((socket) => {
      socket.once('data', () => {
        socket.write('S');
        socket.once('data', () => socket.end('this is not TLS'));
      });
    });
    expect(await refusals(`${brokenTls}?sslmode=require`)).toEqual(
      each(/No TLS connection can be made/),
    );
  });

  test('a server without a free connection is reported in one sentence', async () => {
    const postgres = await startPostgres({ connectionsMax: 5 });
    onTestFinished(() => postgres.stop());
    const held = Array.from({ length: 5 }, () => new Client({ connectionString: postgres.url }));
    for (const client of held) await client.connect();
    expect(await refusals(postgres.url)).toEqual(
      each(/no connection left\. Raise its max_connections/),
    );
    for (const client of held) await client.end();
  });

  test('a server older than 15 is reported in one sentence', async () => {
    const wire = await startWire(url, { change: asVersion14 });
    const listing = spawnCommand(['workspace', 'list', '--database', wire.url]);
    expect(await listing.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^PostgreSQL \S+ is too old\. Upgrade [^\n]+ 15 or newer\.\n$/),
    });
    const doctor = await spawnCommand(['doctor', '--database', wire.url]).ended;
    expect(doctor.stdout).toMatch(/^problem +version +PostgreSQL \S+ is too old\.$/m);
  });

  test('a missing TLS file or an unknown sslmode is wrong usage', async () => {
    for (const [search, sentence] of [
      ['?sslmode=verify-full&sslrootcert=/nowhere/ca.pem', /^The file \/nowhere\/ca\.pem/],
      ['?sslmode=requier', /^The sslmode in --database is not known/],
    ] as const) {
      const other = Object.assign(new URL(url), { search }).href;
      const { code, stderr } = await spawnCommand(['doctor', '--database', other]).ended;
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
      expect(stderr).toMatch(/^[^\n]+\n$/);
    }
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

  test(
    'a connection succeeds with a password from PGPASSWORD or a password file, over TCP or a socket',
    { tags: ['long'] },
    async () => {
      const { port } = new URL(url);
      const byTcp = `postgres://scram@127.0.0.1:${port}/postgres`;
      const bySocket = `postgres:///postgres?host=${sockets}&port=${port}`;
      for (const [database, env] of [
        [byTcp, { PGPASSWORD: 'right' }],
        [byTcp, { PGPASSFILE: passfile }],
        [bySocket, { PGUSER: 'scram', PGPASSWORD: 'right' }],
        [bySocket, { PGUSER: 'scram', PGPASSFILE: passfile }],
      ] as const) {
        const { code, stderr } = await spawnCommand(['workspace', 'list', '--database', database], {
          env,
        }).ended;
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: expect.not.stringContaining('Warning'),
        });
      }
    },
  );
});

/** A server that is not PostgreSQL; gives the URL of a database there. */
async function listen(serve: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.resume();
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  return `postgres://user:pw-secret@127.0.0.1:${address.port}/overheard`;
}

/** `180004`, the version as a number, in six characters that stay six. */
function asVersion14(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/1[5-9]000\d/, '140012'), 'latin1');
}
