import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase('overheard workspace', (create) => {
  test('workspace removal says what would be lost, and asks a person for the slug', async () => {
    const url = await create();
    const named = ['--name', 'A', '--brand', 'A', '--database', url];
    await runCommand(['workspace', 'create', 'acme', ...named]);
    await runCommand(['key', 'create', '--workspace', 'acme', '--database', url]);
    const remove = ['workspace', 'remove', 'acme', '--database', url];
    const unasked = await runCommand(remove);
    expect(unasked).toMatchObject({ code: 2 });
    expect(unasked.stderr).toContain('acme (A) has 1 key, 1 subject.');
    expect(unasked.stderr).toContain('Add --yes');
    for (const stdin of ['no\n', '']) {
      const refused = await runCommand(remove, { stdin, isTerminal: true });
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stderr).toContain('Nothing was removed.');
    }
    const removed = await runCommand(remove, { stdin: 'acme\n', isTerminal: true });
    expect(removed).toMatchObject({ code: 0 });
    expect(removed.stderr).toContain('Removed the workspace acme.');
  });
});

test.each([
  ['A B', 'Acme', 'Acme', 'acme.com'],
  ['acme', ' ', 'Acme', 'acme.com'],
  ['acme', 'Acme', 'x'.repeat(10_000), 'acme.com'],
  ['acme', 'Acme', 'Acme', 'not a domain'],
])('words that are refused create no database: %j %j', async (slug, name, brand, domain) => {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-refused-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const words = ['--name', name, '--brand', brand, '--domain', domain];
  const database = ['--database', `file:${join(folder, 'x.db')}`];
  const outcome = await runCommand(['workspace', 'create', slug, ...words, ...database]);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(await readdir(folder)).toEqual([]);
});
