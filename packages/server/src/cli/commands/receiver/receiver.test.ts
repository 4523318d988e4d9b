import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase({ title: 'overheard receiver add', onBoth: true }, (create, dialect) => {
  test('it says if no host can reach the address, and if PostgreSQL needs a folder', async () => {
    const at = ['--workspace', 'acme', '--database', await create()];
    await runCommand([
      'workspace',
      'create',
      'acme',
      '--name',
      'Acme',
      '--brand',
      'Acme',
      ...at.slice(2),
    ]);
    const add = async (...options: string[]) =>
      (await runCommand(['receiver', 'add', ...options, ...at])).stderr;
    const local = await add('--from', 'vercel');
    expect(local).toContain('no host can reach it');
    expect(local.includes('--spool names a folder')).toBe(dialect === 'postgres');
    for (const options of [
      ['--from', 'other'],
      ['--from', 'vercel', '--public-url', 'https://overheard.acme.com'],
    ]) {
      expect(await add(...options)).not.toContain('no host can reach it');
    }
  });
});
