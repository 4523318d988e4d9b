import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');

eachDatabase('advice on names', (create) => {
  async function prepare(
    brand = 'Acme',
  ): Promise<{ created: Outcome; run: (...args: string[]) => Promise<Outcome> }> {
    const url = await create();
    const words = ['--name', 'W', '--brand', brand, '--database', url];
    const created = await runCommand(['workspace', 'create', 'w', ...words], { clock });
    const prompt = { prompt: 'Mikä?', language: 'fi', engine: 'chatgpt', answer: 'En tiedä.' };
    const row = JSON.stringify({ ...prompt, run_at: '2026-11-18T06:00:00Z' });
    const target = ['--workspace', 'w', '--database', url];
    await runCommand(['answers', 'import', '-', ...target], { stdin: row, clock });
    return { created, run: (...args) => runCommand([...args, ...target], { clock }) };
  }

  test('a name that is a common word gets a warning, and the command in it makes the name exact', async () => {
    const { created, run } = await prepare('Target');
    expect(created.code).toBe(0);
    expect(created.stderr).toContain('Warning: "Target" is also a common word');
    const fix = ['subject', 'set', 'Target', '--add-alias-exact', 'Target'];
    expect(created.stderr).toMatch(
      /subject set --database \S+ Target --workspace w --add-alias-exact Target/,
    );
    const fixed = await run(...fix);
    expect(fixed.stderr).toContain('aliases Target (exact)');
    expect(fixed.stderr).not.toContain('Warning');
    const alias = await run(
      'subject',
      'set',
      'Target',
      '--add-alias',
      'Bullseye',
      '--add-alias',
      'Gap',
    );
    expect(alias.stderr).toContain('Warning: "Gap" is also a common word');
    expect(alias.stderr).toContain('--remove-alias Gap --add-alias-exact Gap');
    expect(alias.stderr).not.toContain('"Bullseye"');
  });

  test('spellings are suggested in the languages of the prompts, and none is added', async () => {
    const { run } = await prepare();
    const added = await run('subject', 'add', "Ben & Jerry's");
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) });
    expect(added.stderr).toContain("  Ben & Jerrys, Ben and Jerry's, Ben ja Jerry's");
    expect(added.stderr).toContain("--add-alias 'Ben and Jerry'\\''s'");
    const inflected = await run('subject', 'add', 'Samsung');
    expect(inflected.stderr).toContain('case endings of Finnish');
    expect(inflected.stderr).toContain('  Samsungin, Samsungia,');
    const listed = await run('subject', 'list', '--json');
    const { subjects } = JSON.parse(listed.stdout);
    expect(subjects.flatMap(({ aliases }: { aliases: unknown[] }) => aliases)).toEqual([]);
  });

  test('a whole site on which many have pages is warned of', async () => {
    const { run } = await prepare();
    const added = await run('subject', 'add', 'Globex', '--domain', 'github.com');
    expect(added.stderr).toContain('Warning: many companies have pages on github.com.');
    const again = await run('subject', 'set', 'Globex', '--add-domain', 'globex.com');
    expect(again.stderr).not.toContain('Warning');
  });
});
