import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const at = Date.parse('2026-11-20T12:34:56.789Z');

eachDatabase('overheard workspace', (create) => {
  test('a workspace is created, listed, renamed and removed', async () => {
    const url = await create();
    const run = (...args: string[]): Promise<Outcome> =>
      runCommand([...args, '--database', url], { clock: () => at });
    const brand = [
      '--name',
      'Acme Ltd',
      '--brand',
      'Acme',
      '--domain',
      'https://www.acme.example/',
    ];
    const created = await run('workspace', 'create', 'acme', ...brand);
    expect(created).toMatchObject({ code: 0, stdout: '' });
    expect(created.stderr).toMatch(/overheard key create --database \S+ --workspace acme/);

    const listed = await run('workspace', 'list', '--json');
    expect(listed.stdout).toMatch(/"id": "[0-9a-f-]{36}"/);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      workspaces: [
        {
          slug: 'acme',
          name: 'Acme Ltd',
          created_at: '2026-11-20T12:34:56.789Z',
        },
      ],
    });
    expect(await run('workspace', 'set', 'acme', '--slug', 'apex')).toMatchObject({ code: 0 });
    expect((await run('workspace', 'list')).stdout).toBe(
      'SLUG  NAME      CREATED\napex  Acme Ltd  2026-11-20T12:34:56.789Z\n',
    );
    expect(await run('workspace', 'remove', 'apex', '--yes')).toMatchObject({ code: 0 });
    expect(await run('workspace', 'list')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^There is no workspace yet: make one with `overheard workspace create --database \S+`.\n$/,
      ),
    });
  });

  test('a taken slug and an unknown one are failures, wrong words are wrong usage', async () => {
    const url = await create();
    const run = (...args: string[]): Promise<Outcome> => runCommand([...args, '--database', url]);
    const make = (slug: string, ...more: string[]): Promise<Outcome> =>
      run('workspace', 'create', slug, '--name', 'A', '--brand', 'A', ...more);
    expect((await make('acme')).code).toBe(0);
    expect(await make('acme')).toMatchObject({ code: 1 });
    expect(await make('Acme')).toMatchObject({ code: 2 });
    expect(await make('other', '--domain', 'localhost')).toMatchObject({ code: 2 });
    expect(await run('workspace', 'create', 'other', '--name', 'A')).toMatchObject({ code: 2 });
    expect(await run('workspace', 'set', 'acme')).toMatchObject({ code: 2 });
    expect(await run('workspace')).toMatchObject({ code: 2, stdout: '' });
    const unknown = await run('workspace', 'remove', 'acne', '--yes');
    expect(unknown).toMatchObject({
      code: 1,
      stderr: 'There is no workspace "acne". Did you mean "acme"?\n',
    });
    expect(JSON.parse((await run('workspace', 'list', '--json')).stdout)).toMatchObject({
      workspaces: [{ slug: 'acme' }],
    });
  });

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

test('a command on a database that is not there says how to make one, and makes none', async () => {
  const outcome = await runCommand(['workspace', 'list', '--database', 'file:/nowhere/x.db']);
  expect(outcome).toMatchObject({ code: 1, stdout: '' });
  expect(outcome.stderr).toContain('overheard workspace create');
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
