import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { lines } from '../../../../test/logs/log-place.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { Create } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-21T00:00:00.000Z');
const inAcme = ['--workspace', 'acme'];

eachDatabase({ title: 'the secret of a workspace', onBoth: true }, (create) => {
  test(
    'a secret that is moved with the hits keeps the same log from adding them twice',
    { tags: ['once'] },
    async () => {
      const { old, fresh } = await prepare(create);
      await old.ingest();
      const count = await old.hits();
      expect(count).toBeGreaterThan(10);
      const secret = await old.run(['workspace', 'export-secret', 'acme']);
      expect(secret.stdout).toMatch(/^[0-9a-f]{64}\n$/);
      const moved = await fresh.run(['workspace', 'import-secret', 'acme', '-'], secret.stdout);
      expect(moved).toMatchObject({ code: 0, stdout: '' });
      const rows = await old.run(['export', 'hits', ...inAcme]);
      await fresh.run(['import', 'hits', '-', ...inAcme], rows.stdout);
      await fresh.ingest();
      expect(await fresh.hits()).toBe(count);
    },
  );

  test('a log ingested again without the secret counts twice, and the imported hits can be removed', async () => {
    const { old, fresh } = await prepare(create);
    await old.ingest();
    const count = await old.hits();
    const rows = await old.run(['export', 'hits', ...inAcme]);
    await fresh.run(['import', 'hits', '-', ...inAcme], rows.stdout);
    await fresh.ingest();
    expect(await fresh.hits()).toBe(2 * count);
    const removed = await fresh.run(['hits', 'remove', '--imported', '--yes', ...inAcme]);
    expect(removed.stderr).toBe(`Removed ${count} hits.\n`);
    expect(await fresh.hits()).toBe(count);
    await fresh.ingest();
    expect(await fresh.hits()).toBe(count);
  });

  test('importing a secret is refused while the workspace has hits that were read with another one', async () => {
    const { log, old, fresh } = await prepare(create);
    await old.ingest();
    await fresh.ingest();
    const count = await fresh.hits();
    const { stdout } = await old.run(['workspace', 'export-secret', 'acme']);
    const bring = () => fresh.run(['workspace', 'import-secret', 'acme', '-'], stdout);
    const refused = await bring();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${count} hits from logs that were read with another secret`);
    const own = await fresh.run(['workspace', 'export-secret', 'acme']);
    expect(own.stdout).not.toBe(stdout);
    await fresh.run(['hits', 'remove', '--read', '--yes', ...inAcme]);
    expect(await fresh.hits()).toBe(0);
    expect(await bring()).toMatchObject({ code: 0 });
    // The log counts as unread: the place where its reading ended was noted under the other secret.
    await fresh.run(['hits', 'ingest', log, '--no-dns', ...inAcme]);
    expect(await fresh.hits()).toBe(count);
    expect((await bring()).stderr).toContain('Nothing changed');
  });
});

eachDatabase('the file of a secret', (create) => {
  test('the secret of a workspace goes into a new file that only its owner can read, and never over another', async () => {
    const { folder, old } = await prepare(create);
    const path = join(folder, 'acme.secret');
    const bring = () => old.run(['workspace', 'export-secret', 'acme', '--output', path]);
    expect(await bring()).toMatchObject({ code: 0, stdout: '' });
    const written = await readFile(path, 'utf8');
    expect(written).toMatch(/^[0-9a-f]{64}\n$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await bring()).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') });
    expect(await readFile(path, 'utf8')).toBe(written);
    expect(await old.run(['workspace', 'import-secret', 'acme', path])).toMatchObject({ code: 0 });
  });

  test.each([
    ['one and more', `${'ab'.repeat(32)}\n${'ab'.repeat(32)}`],
    ['a key', 'overheard_0123456789abcdefghijABCDEFGHIJ01abcdef'],
  ])(
    'the secret of a workspace is refused where the file holds %s, and the file is not shown',
    async (_what, text) => {
      const { old } = await prepare(create);
      const before = await old.run(['workspace', 'export-secret', 'acme']);
      const refused = await old.run(['workspace', 'import-secret', 'acme', '-'], text);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('standard input is not a secret');
      expect(refused.stderr).not.toContain(text.slice(0, 20));
      expect((await old.run(['workspace', 'export-secret', 'acme'])).stdout).toBe(before.stdout);
    },
  );
});

/** A folder with a log, and two servers with the workspace acme. */
async function prepare(create: Create) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-secret-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = join(folder, 'access.log');
  await writeFile(log, lines(60));
  const server = async () => {
    const url = await create();
    const run = (args: readonly string[], stdin = '') =>
      runCommand([...args, '--database', url], { stdin, clock });
    const hits = async () =>
      (await run(['export', 'hits', ...inAcme])).stdout.split('\n').length - 1;
    const ingest = () => run(['hits', 'ingest', log, '--no-dns', '--from-start', ...inAcme]);
    await run(['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme']);
    return { run, hits, ingest };
  };
  return { folder, log, old: await server(), fresh: await server() };
}
