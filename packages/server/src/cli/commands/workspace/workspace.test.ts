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

eachDatabase('overheard workspace list', (create) => {
  test('the list has the figures of the page of all workspaces, and none of an archived one', async () => {
    const database = ['--database', await create()];
    const clock = () => Date.parse('2026-11-27T12:00:00.000Z');
    const run = (args: readonly string[], stdin = '') =>
      runCommand([...args, ...database], { stdin, clock });
    for (const slug of ['acme', 'new', 'old']) {
      await run(['workspace', 'create', slug, '--name', slug, '--brand', 'Acme']);
    }
    await run(['workspace', 'archive', 'old']);
    const answers = Array.from({ length: 12 }, (_, place) => ({
      prompt: `Which tool number ${place}?`,
      engine: 'chatgpt',
      run_at: '2026-11-20T10:00:00Z',
      answer: place < 9 ? 'Acme is fine.' : 'None.',
    }));
    await run(['answers', 'import', '-', '--workspace', 'acme'], JSON.stringify(answers));
    const { workspaces } = JSON.parse((await run(['workspace', 'list', '--json'])).stdout);
    expect(workspaces).toMatchObject([
      {
        slug: 'acme',
        brand: { rate: 0.75, runs: 12, rate_verdict: 'too_few' },
        last_answer_at: '2026-11-20T10:00:00.000Z',
        problems: [],
      },
      { slug: 'new', brand: null, gaps: { open: 0 }, last_answer_at: null },
      { slug: 'old', archived_at: expect.any(String), brand: null, gaps: null },
    ]);
    const { stdout } = await run(['workspace', 'list']);
    expect(stdout).toMatch(/^acme +acme +75 % of 12 answers .* 2026-11-20 .* ok$/m);
    expect(stdout).toMatch(/^new .* setting up$/m);
    expect(stdout).toMatch(/^old .* archived$/m);
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
