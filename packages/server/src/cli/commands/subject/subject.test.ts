import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase('overheard subject', (create) => {
  test('a competitor is added, listed, changed and removed by name or id', async () => {
    const run = await acme(await create());
    const added = await run('add', 'Globex', '--alias-exact', 'GBX', '--domain', 'globex.example');
    expect(added).toMatchObject({ code: 0 });
    const id = added.stdout.trim();
    expect(added.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(added.stderr).toContain('aliases GBX (exact); domains globex.example');

    const listed = await run('list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({
      subjects: [
        { subject_type: 'brand', name: 'Acme', aliases: [], domains: ['acme.example'] },
        {
          id,
          subject_type: 'competitor',
          name: 'Globex',
          aliases: [{ alias: 'GBX', match: 'exact' }],
          domains: ['globex.example'],
          archived_at: null,
        },
      ],
    });
    const renamed = await run('set', 'gbx', '--name', 'Globex Group', '--remove-alias', 'GBX');
    expect(renamed).toMatchObject({ code: 0, stdout: '' });
    expect(renamed.stderr).toContain("--add-alias 'Globex'");
    expect((await run('remove', id)).code).toBe(0);
    expect((await run('list')).stdout).not.toContain('Globex');
    expect((await run('list', '--all')).stdout).toMatch(
      /competitor +Globex Group +- +- +- +20\d\d-/,
    );
  });

  test('--alias replaces the whole list, --clear-aliases empties it', async () => {
    const run = await acme(await create());
    await run('set', 'Acme', '--alias', 'Acme Ltd', '--alias-exact', 'ACM');
    expect((await run('set', 'Acme', '--alias', 'Apex')).stderr).toContain('aliases Apex; domains');
    expect((await run('set', 'Acme', '--clear-aliases')).stderr).not.toContain('aliases');
    expect((await run('set', 'Acme', '--clear-aliases')).stderr).toContain('Nothing changed');
  });

  test('a word of another subject is refused by name; wrong words are wrong usage', async () => {
    const run = await acme(await create());
    const taken = await run('add', 'ACME');
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toContain('of the brand "Acme" already');
    expect(await run('add', 'X', '--alias-pattern', '(')).toMatchObject({ code: 2 });
    expect(await run('add', 'X', '--alias-pattern', '(?i)glob[eo]x')).toMatchObject({ code: 0 });
    expect(await run('remove', 'X')).toMatchObject({ code: 0 });
    expect(await run('add', 'X', '--domain', '10.0.0.1')).toMatchObject({ code: 2 });
    expect(await run('set', 'Acme')).toMatchObject({ code: 2 });
    expect(await run('remove', 'Acme')).toMatchObject({ code: 1 });
    const unknown = await run('set', 'Acm', '--name', 'X');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean "Acme"?');
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject({
      subjects: [{ name: 'Acme' }],
    });
  });
});

test('a subject command without a workspace is wrong usage', async () => {
  const outcome = await runCommand(['subject', 'list']);
  expect(outcome.code).toBe(2);
  expect(outcome.stderr).toContain('--workspace');
});

/** Runs subject commands in a fresh workspace with the brand Acme. */
async function acme(url: string): Promise<(...args: string[]) => Promise<Outcome>> {
  const words = ['--name', 'Acme', '--brand', 'Acme', '--domain', 'acme.example'];
  await runCommand(['workspace', 'create', 'acme', ...words, '--database', url]);
  return (...args) => runCommand(['subject', ...args, '--workspace', 'acme', '--database', url]);
}
