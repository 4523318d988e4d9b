import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const rows = Array.from({ length: 200 }, (_, index) => ({
  prompt: `Question ${index % 40}?`,
  engine: 'chatgpt',
  run_at: new Date(Date.UTC(2026, 9, 1) + index * 60_000).toISOString(),
  answer: 'Acme, then Globex.',
}));

eachDatabase({ title: 'imports of answers at once', onBoth: true }, (create) => {
  test('two imports of one file count each answer once, as new in one of them', async () => {
    const workspace = ['--workspace', 'acme', '--database', await create()];
    const made = ['workspace', 'create', 'acme', '--name', 'A', '--brand', 'Acme'];
    await runCommand([...made, ...workspace.slice(2)]);
    const outcomes = await Promise.all(
      [1, 2].map(() => {
        const { child, ended } = spawnCommand(['answers', 'import', '-', ...workspace]);
        child.stdin.end(JSON.stringify(rows));
        return ended;
      }),
    );
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(outcomes.map(({ stderr }) => stderr).toSorted()).toEqual([
      expect.stringContaining('Imported 200 new runs.'),
      expect.stringContaining('Imported no new run; 200 were there already.'),
    ]);
    const rebuilt = await runCommand(['scores', 'rebuild', '--dry-run', ...workspace]);
    expect(rebuilt.stderr).toContain('1 derived score; 0 of them would change');
  });
});
