import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-20T12:00:00.000Z');
const tail = 'Answers are made by Globex. Check them before you rely on them.';
const answers = ['Take Acme.', 'It depends.', 'Acme, mostly.', 'Neither of both.'];
const rows = answers.map((answer, index) =>
  JSON.stringify({
    prompt: 'Which?',
    engine: 'copilot',
    run_at: `2026-11-18T0${index}:00:00Z`,
    answer: `${answer}\n\n${tail}`,
  }),
);

eachDatabase('texts that most answers share', (create) => {
  async function prepare() {
    const target = ['--workspace', 'w', '--database', await create()];
    const run = (stdin: string, ...args: string[]) =>
      runCommand([...args, ...target], { stdin, clock });
    const [, slug, ...database] = target;
    const names = ['--name', 'W', '--brand', 'Acme'];
    await runCommand(['workspace', 'create', slug ?? '', ...names, ...database], { clock });
    await run('', 'subject', 'add', 'Globex');
    const importRows = (lines: readonly string[], ...options: string[]) =>
      run(lines.join('\n'), 'answers', 'import', '-', ...options);
    const exported = async () => {
      const { stdout } = await run('', 'export', 'detections');
      return stdout
        .split('\n')
        .filter((line) => line.includes('"cited":true'))
        .map((line) => line.replace(/"id":"[^"]+",/, ''))
        .toSorted();
    };
    return { run, importRows, exported };
  }

  test('a shared text is named at the import, in a dry run too, and counts until a person strips it', async () => {
    const { run, importRows, exported } = await prepare();
    const named = `4 of 4 different answers of copilot end with the same ${tail.length} characters: "${tail}"`;
    expect((await importRows(rows, '--dry-run')).stderr).toContain(named);
    const { stderr } = await importRows(rows);
    expect(stderr).toContain(named);
    expect(stderr).toContain('--strip-tail copilot --dry-run');
    expect(await exported()).toHaveLength(6);
    const tried = await run('', 'answers', 'redetect', '--strip-tail', 'copilot', '--dry-run');
    expect(tried.stderr).toContain('which would not count');
    expect(tried.stderr).toContain('Who is cited would change in 4 of them');
    expect(await exported()).toHaveLength(6);
    await run('', 'answers', 'redetect', '--strip-tail', 'copilot');
    expect(await exported()).toHaveLength(2);
    expect((await importRows(rows)).stderr).not.toContain('different answers');
    await run('', 'answers', 'redetect', '--strip-none', 'copilot');
    expect(await exported()).toHaveLength(6);
  });

  test('splitting a file changes nothing once its tail is stripped', async () => {
    const [whole, split] = [await prepare(), await prepare()];
    await whole.importRows(rows, '--strip-tail');
    const { stderr } = await split.importRows(rows.slice(0, 3), '--strip-tail');
    expect(stderr).toContain('which does not count now');
    await split.importRows(rows.slice(3));
    const withoutIds = (lines: readonly string[]) =>
      lines.map((line) => line.replaceAll(/"subject_id":"[^"]+"/g, ''));
    expect(withoutIds(await split.exported())).toEqual(withoutIds(await whole.exported()));
    expect(await split.exported()).toHaveLength(2);
  });
});
