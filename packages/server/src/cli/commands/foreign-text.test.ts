import { expect, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';

const runId = 'a0000000-0000-4000-8000-000000000001';
const hostile = 'Read \u001b[31mthis\u001b[0m\nopen  FORGED\u202e row';

eachDatabase('foreign text in a terminal', (create) => {
  test('an imported recommendation cannot act on the terminal or forge a line', async () => {
    const url = await create();
    const run = (args: readonly string[], stdin = '') =>
      runCommand([...args, '--workspace', 'acme', '--database', url], { stdin });
    await runCommand(
      ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme', '--database', url],
      {},
    );
    const id = '0198c2f0-0000-7000-8000-000000000001';
    const row = { id, recommendation: hostile, priority: 'high', status: 'open' };
    const action = { ...row, created_at: '2026-11-20T00:00:00Z' };
    const imported = await run(['import', 'actions', '-'], JSON.stringify([action]));
    expect(imported.code).toBe(0);
    const printed = [await run(['actions', 'list']), await run(['actions', 'explain', id])];
    for (const { code, stdout } of printed) {
      expect(code).toBe(0);
      expect(stdout).toContain('this');
      expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|^open/mu);
    }
  });

  test('an answer, its prompt and its sources cannot act on the terminal in any report', async () => {
    const url = await create();
    const run = (args: readonly string[], stdin = '') =>
      runCommand([...args, '--workspace', 'acme', '--database', url], { stdin });
    const owner = ['--name', 'Acme', '--brand', 'Acme', '--database', url];
    await runCommand(['workspace', 'create', 'acme', ...owner], {});
    const run_at = new Date(Date.now() - 60_000).toISOString();
    const sources = [{ url: 'https://wiki.example/\u001b[2J\u202e', title: hostile }];
    const answer = { prompt: hostile, engine: 'chatgpt', model: hostile, run_at, sources };
    const rows = JSON.stringify({ ...answer, id: runId, answer: `${hostile} Acme.` });
    expect(await run(['answers', 'import', '-'], rows)).toMatchObject({ code: 0 });
    for (const line of [
      'answers list',
      'answers show a0000000',
      'prompts list',
      'report',
      'shares --by prompt',
      'sources --by page',
      'sources --prompt FORGED',
    ]) {
      const { stdout, stderr } = await run(line.split(' '));
      expect([line, /wiki|this|FORGED/.test(stdout + stderr)]).toEqual([line, true]);
      expect([line, stdout + stderr]).toEqual([
        line,
        expect.not.stringMatching(/[^\P{Cc}\n]|\p{Bidi_Control}/u),
      ]);
    }
  });
});
