import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');

eachDatabase('advice on names', (create) => {
  async function prepare(brand = 'Acme'): Promise<{
    created: Outcome;
    run: (...args: ReadonlyArray<string | { stdin: string }>) => Promise<Outcome>;
  }> {
    const url = await create();
    const words = ['--name', 'W', '--brand', brand, '--database', url];
    const created = await runCommand(['workspace', 'create', 'w', ...words], { clock });
    const prompt = { prompt: 'Mikä?', language: 'fi', engine: 'chatgpt', answer: 'En tiedä.' };
    const row = JSON.stringify({ ...prompt, run_at: '2026-11-18T06:00:00Z' });
    const target = ['--workspace', 'w', '--database', url];
    await runCommand(['answers', 'import', '-', ...target], { stdin: row, clock });
    return {
      created,
      run: (...args) => {
        const typed = args.filter((one) => typeof one === 'string');
        const stream = args.find((one) => typeof one !== 'string');
        return runCommand([...typed, ...target], { clock, ...stream });
      },
    };
  }

  test('an import that brings a language advises the brand on its case endings, once', async () => {
    const { run } = await prepare('Bolt');
    await run('subject', 'add', 'Wolt');
    const importRow = async (prompt: string) => {
      const row = { prompt, language: 'et', engine: 'chatgpt', answer: 'Bolti hinnad.' };
      const stdin = JSON.stringify({ ...row, run_at: '2026-11-18T06:00:00Z' });
      return run({ stdin }, 'answers', 'import', '-');
    };
    const { stderr } = await importRow('Milline?');
    expect(stderr).toContain('case endings of Estonian, a language of the prompts');
    expect(stderr.indexOf('  Bolti, Boltit,')).toBeGreaterThan(0);
    expect(stderr.indexOf('  Wolti,')).toBeGreaterThan(stderr.indexOf('  Bolti,'));
    expect(stderr).toMatch(/subject set --database \S+ Bolt --workspace w --add-alias Bolti/);
    expect((await importRow('Kus?')).stderr).not.toContain('case endings');
  });

  test('prompts that look like another language than en are read in it, and the import says so', async () => {
    const { run } = await prepare('Nokia');
    const rows = ['Mikä on paras?', 'Mitkä ovat parhaat?', 'Which is best?'].map((prompt) =>
      JSON.stringify({
        prompt,
        engine: 'chatgpt',
        run_at: '2026-11-18T06:00:00Z',
        answer: 'Valitse Nokialta.',
      }),
    );
    const { stderr } = await run({ stdin: rows.join('\n') }, 'answers', 'import', '-');
    expect(stderr).toContain('2 prompts look Finnish but are marked en');
    expect(stderr).toContain('Subjects were cited 2 times');
    const exported = await run('export', 'prompts');
    expect(exported.stdout.match(/"language":"en","locale":"en-US"/g)).toHaveLength(3);
  });
});
