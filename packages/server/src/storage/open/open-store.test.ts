import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';

test.each([
  ['', /^No database is named/],
  ['file:', /^No database is named/],
  [tmpdir(), /is a folder/],
  [`file:${tmpdir()}`, /is a folder/],
  ['file:%zz', /written %25/],
  ['postgres://u:pw-secret@127.0.0.1:99999/x', /cannot be read/],
  ['postgres://u:a@pw-secret#b@127.0.0.1/x', /cannot be read/],
  ['postgres://u:a@pw-secret/b@127.0.0.1/x', /cannot be read/],
  ['postgres://u:a@pw-secret?b@127.0.0.1/x', /cannot be read/],
  ['postgres://u@127.0.0.1/pw-secret%ff', /cannot be read/],
])('--database %j is wrong usage: one sentence, and 2', async (database, sentence) => {
  for (const command of [['workspace', 'list'], ['doctor']]) {
    const { code, stdout, stderr } = await runCommand([...command, '--database', database]);
    expect(code, stderr).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).not.toContain('pw-secret');
  }
});

eachDatabase('a database that refuses', (create, dialect) => {
  test.runIf(dialect === 'postgres')(
    'an unknown name or user, or a missing right, is said in one sentence, and ends with 1',
    async () => {
      const url = await create({ isMigrated: false });
      const role = `guest_${process.pid}`;
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        await client.query(`create role ${role} login`);
        for (const [change, sentence] of [
          [{ pathname: '/missing' }, /no database of this name/],
          [{ username: 'missing', password: 'pw-secret' }, /refuses this user/],
          [{ username: role }, /does not let this user/],
        ] as const) {
          const { href: other } = Object.assign(new URL(url), { ...change });
          const { code, stderr } = await runCommand(['workspace', 'list', '--database', other]);
          expect(code, stderr).toBe(1);
          expect(stderr).toMatch(sentence);
          expect(stderr).toMatch(/^[^\n]+\n$/);
          expect(stderr).not.toContain('pw-secret');
        }
      } finally {
        await client.query(`drop role ${role}`);
        await client.end();
      }
    },
  );
});
