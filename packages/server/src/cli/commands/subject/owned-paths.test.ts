import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');

eachDatabase('an owned path', (create) => {
  async function prepare(): Promise<(args: readonly string[], stdin?: string) => Promise<Outcome>> {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    const words = ['--name', 'Acme', '--brand', 'Acme', '--path', 'https://www.GitHub.com/Acme/'];
    const created = await run(['workspace', 'create', 'acme', ...words]);
    expect(created).toMatchObject({ code: 0 });
    return (args, stdin) => run([...args, '--workspace', 'acme'], stdin);
  }

  /** Who is cited, by run, where each answer or source is one address. */
  async function cited(
    run: Awaited<ReturnType<typeof prepare>>,
    addresses: readonly string[],
  ): Promise<string[]> {
    const rows = addresses.flatMap((address, index) => {
      const at = String(index).padStart(2, '0');
      const row = { prompt: 'Where?', engine: 'chatgpt' };
      return [
        { ...row, run_at: `2026-11-18T00:${at}:00Z`, answer: `Look: ${address}` },
        {
          ...row,
          run_at: `2026-11-18T01:${at}:00Z`,
          answer: 'Look.',
          sources: [{ url: address }],
        },
      ];
    });
    const imported = await run(['answers', 'import', '-'], JSON.stringify(rows));
    expect(imported).toMatchObject({ code: 0 });
    const { stdout } = await run([
      'scores',
      'explain',
      '--date',
      '2026-11-18',
      '--engine',
      'chatgpt',
    ]);
    const runs = stdout.split(/\n\n(?=2026)/).slice(1);
    const subjects = runs.map((text) => /1\. (.*), linked/.exec(text)?.[1] ?? '-');
    const half = addresses.length;
    // What counts in the text counts as a source.
    expect(subjects.slice(half)).toEqual(subjects.slice(0, half));
    return subjects.slice(0, half);
  }

  test('an owned path is linked by itself and what is below it, however the address is written', async () => {
    const run = await prepare();
    const found = await cited(run, [
      'https://github.com/acme',
      'https://www.github.com/ACME/?tab=repositories',
      'https://m.github.com/acme/crm/blob/main/README.md#top',
      'https://www.google.com/url?q=https://github.com/acme',
      'github.com/acme/crm',
      'https://github.com/acme-fork',
      'https://github.com/globex/acme',
      'https://github.com/',
      'https://gist.github.com/acme',
      'https://notgithub.com/acme',
      'https://github.com.example.org/acme',
      'https://example.org/?u=github.com/acme',
    ]);
    const acme = 'Acme (the brand)';
    expect(found).toEqual([...Array.from({ length: 5 }, () => acme), ...'-------']);
  });

  test('the longest of several subjects’ paths counts, also within the domain of another', async () => {
    const run = await prepare();
    const add = async (...args: string[]): Promise<void> =>
      expect(await run(['subject', 'add', ...args])).toMatchObject({ code: 0 });
    await add('Globex', '--path', 'youtube.com/@globex', '--path', 'github.com/acme/globex');
    await add('YouTube', '--domain', 'youtube.com');
    expect(
      await cited(run, [
        'https://github.com/acme/crm',
        'https://github.com/Acme/Globex/issues',
        'https://m.youtube.com/@Globex/videos',
        'https://www.youtube.com/@other',
      ]),
    ).toEqual(['Acme (the brand)', 'Globex', 'Globex', 'YouTube']);
  });

  test('an owned path is listed, replaced, added, removed, and free once its competitor is removed', async () => {
    const run = await prepare();
    const pathsOf = async (): Promise<unknown> => {
      const { stdout } = await run(['subject', 'list', '--json']);
      const { subjects } = JSON.parse(stdout);
      return subjects.map(({ paths }: { paths: unknown }) => paths);
    };
    expect(await pathsOf()).toEqual([['github.com/acme']]);
    await run(['subject', 'set', 'Acme', '--add-path', 'apps.apple.com/us/app/acme/id7']);
    expect(await pathsOf()).toEqual([['apps.apple.com/app/id7', 'github.com/acme']]);
    await run(['subject', 'set', 'Acme', '--remove-path', 'https://github.com/ACME']);
    expect(await pathsOf()).toEqual([['apps.apple.com/app/id7']]);
    const unknown = await run(['subject', 'set', 'Acme', '--remove-path', 'github.com/acme']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('has no owned path "github.com/acme"');
    await run(['subject', 'set', 'Acme', '--path', 'x.com/acme', '--path', 'twitter.com/Acme']);
    expect(await pathsOf()).toEqual([['x.com/acme']]);
    expect((await run(['subject', 'list'])).stdout).toMatch(/PATHS\n.* x\.com\/acme\n/);

    const taken = await run(['subject', 'add', 'Globex', '--path', 'twitter.com/acme']);
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toContain('"x.com/acme" is an owned path of the brand "Acme" already');
    await run(['subject', 'set', 'Acme', '--clear-paths']);
    expect(await pathsOf()).toEqual([[]]);
    expect((await run(['subject', 'add', 'Globex', '--path', 'x.com/acme'])).code).toBe(0);
    await run(['subject', 'remove', 'Globex']);
    expect((await run(['subject', 'add', 'Hooli', '--path', 'x.com/acme'])).code).toBe(0);
  });

  test.each([
    ['--path', 'github.com', 'nothing follows the host'],
    ['--path', 'https://acme.com/?x=1', 'Give the whole site as a domain: --domain acme.com'],
    ['--path', 'ftp://github.com/acme', 'cannot be an owned path'],
    ['--path', 'https://user@github.com/acme', 'cannot be an owned path'],
    ['--path', 'github.com:8080/acme', 'has no port'],
    ['--path', '10.0.0.1/acme', 'an IP address is not a domain'],
    ['--path', `github.com/${'a'.repeat(600)}`, 'longer than 500'],
    ['--path', 'github.com/a\u0000b', 'control characters'],
    ['--domain', 'https://github.com/acme', 'Give a path on it instead: --path'],
    ['--domain', 'm.youtube.com/@acme', 'Give a path on it instead: --path'],
  ])('an owned path is refused as wrong usage: %s %s: %s', async (option, text, message) => {
    const run = await prepare();
    const refused = await run(['subject', 'add', 'Globex', option, text]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
  });
});
