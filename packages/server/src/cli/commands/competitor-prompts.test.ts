import { expect, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import type { Outcome } from '../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const inWorkspace = ['--workspace', 'acme'];
const explainGemini = ['scores', 'explain', '--date', '2026-11-19', '--engine', 'gemini'];

function ask(prompt: string, hour: number, answer: string): object {
  return { prompt, engine: 'gemini', run_at: `2026-11-19T0${hour}:00:00Z`, answer };
}

const rows = [
  ask('Which tool?', 1, 'Acme or Globex.'),
  ask('Is GLOBEX good?', 2, 'Globex is.'),
  ask('Is GLOBEX good?', 3, 'Globex and Initech are.'),
  ask('What is https://www.globex.com/a?', 4, 'It is Globex.'),
  ask('Acme or Globex?', 5, 'Acme.'),
  ask('Any Globexport?', 6, 'Acme.'),
  { ...ask('What of Globex?', 7, 'No.'), outcome: 'refused' },
];

eachDatabase('prompts that name a competitor', (create) => {
  async function prepare() {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, ...inWorkspace, '--database', url], { stdin, clock });
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--database', url];
    await runCommand(['workspace', 'create', 'acme', ...brand], { clock });
    await run(['subject', 'add', 'Globex', '--domain', 'globex.com']);
    const imported = await run(['answers', 'import', '-'], JSON.stringify(rows));
    return { run, imported };
  }

  test('an import counts the scored runs whose prompt names or links a competitor', async () => {
    const { imported } = await prepare();
    expect(imported.stderr).toContain('3 counted runs are of prompts that name a competitor');
  });

  test('scores explain marks prompts that name a competitor, and shows the share of voice without them', async () => {
    const { run } = await prepare();
    const { stdout } = await run(explainGemini);
    expect(stdout).toContain('  share       2 / 6 (2 + 4) = 0.3333\n');
    expect(stdout).toContain(
      '  without     2 / 3 (2 + 1) = 0.6667 over 2 runs of prompts that name no competitor\n',
    );
    expect(stdout).toContain(
      'which most answers then repeat:\n  2 runs of "Is GLOBEX good?"\n  1 run of "What is https://www.globex.com/a?"\nLeft out',
    );
    expect(stdout).toContain('  asked: Is GLOBEX good? (names a competitor)\n');
    expect(stdout).toContain('  asked: Any Globexport?\n');
    const json = await run([...explainGemini, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      sov: 0.3333,
      competitor_prompts: [{ asked: 'Is GLOBEX good?', runs: 2 }, { runs: 1 }],
      without_competitor_prompts: { counts: { runs: 2, brand: 2, competitors: 1 }, sov: 0.6667 },
      unclassified: 0,
    });
  });

  test('a competitor that is added later is found in stored prompts by redetection', async () => {
    const { run } = await prepare();
    await run(['subject', 'add', 'Globexport']);
    expect(await run(['answers', 'redetect'])).toMatchObject({ code: 0 });
    const { stdout } = await run(explainGemini);
    expect(stdout).toContain('  asked: Any Globexport? (names a competitor)\n');
  });
});
