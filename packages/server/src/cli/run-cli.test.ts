import { expect, test } from 'vitest';
import { idOf } from '../../test/stores/rows.ts';
import { runCommand } from '../../test/commands/command-line.ts';
import { eachDatabase } from '../../test/stores/stores.ts';

const at = Date.parse('2026-11-20T12:00:00.000Z');

test.each([
  ['an option', ['serve', '--log-level', '\u001b[31mx']],
  ['an option of two lines', ['serve', '--log-level', 'x\nforged\n']],
  ['a number', ['serve', '--port', '\u001b[2J']],
  ['an argument', ['import', '\u001b]0;x\u0007', 'x', '--workspace', 'acme']],
  ['a command', ['\u001b[31mx']],
  ['an unknown option', ['key', 'list', '--\u001b[31mx']],
  ['an unknown option before a required one', ['key', 'create', '--\u001b[31mx']],
])('control characters in %s are refused without being printed', async (_, args) => {
  const { code, stderr } = await runCommand(args);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^\P{Cc}+\n$/u);
});

test('a command that a signal ended exits with 130, or 143 by SIGTERM', async () => {
  for (const [reason, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const signal = AbortSignal.abort(reason);
    const stopped = await runCommand(['backup', 'x', '--database', 'file:none'], { signal });
    expect(stopped.code).toBe(code);
  }
});

eachDatabase('an id', (create) => {
  async function prepare() {
    const url = await create();
    const run = (args: string[], stdin = '') =>
      runCommand([...args, '--database', url], { stdin, clock: () => at });
    const actions = (slug: string, ...ids: string[]) =>
      run(
        ['import', 'actions', '-', '--workspace', slug],
        ids
          .map((id) => JSON.stringify({ id, recommendation: `Do ${id}`, priority: 'low' }))
          .join('\n'),
      );
    for (const slug of ['acme', 'other']) {
      await run(['workspace', 'create', slug, '--name', slug, '--brand', slug]);
    }
    return { run, actions };
  }

  test('the id of an action or a hit may be shortened to its beginning, but never another workspace’s', async () => {
    const { run, actions } = await prepare();
    await actions('acme', `aaaa1111${idOf(1).slice(8)}`, `aaaa2222${idOf(2).slice(8)}`);
    await actions('other', `aaaa3333${idOf(3).slice(8)}`, `aaaa1112${idOf(4).slice(8)}`);
    const own = ['--workspace', 'acme'];
    const explain = (id: string) => run(['actions', 'explain', id, ...own]);
    for (const id of ['aaaa1', 'AAAA11', `aaaa1111${idOf(1).slice(8)}`]) {
      expect((await explain(id)).stdout).toContain('Do aaaa1111');
    }
    const several = await explain('aaaa');
    expect(several).toMatchObject({ code: 1, stdout: '' });
    expect(several.stderr.match(/^ {2}aaaa.*$/gm)).toEqual([
      expect.stringContaining('Do aaaa1111'),
      expect.stringContaining('Do aaaa2222'),
    ]);
    for (const none of ['aaaa3', 'aaaa1112', 'aaa', '', '%', 'aaaa1_', "aaaa' or 1=1", 'aaaag']) {
      const { code, stderr } = await explain(none);
      expect([none, code]).toEqual([none, 1]);
      expect(stderr).toContain('There is no action');
      expect(stderr.includes('first 4 characters')).toBe(none.length < 4);
    }
    const set = await run(['actions', 'set', 'aaaa2', '--status', 'in_progress', ...own]);
    expect(set.stderr).toContain('The action aaaa2222');
    const hit = { bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler', path: '/p' };
    const rest = { method: 'GET', verification: 'verified', hit_at: '2026-11-19T00:00:00Z' };
    const hits = JSON.stringify({ id: `bbbb1111${idOf(5).slice(8)}`, ...hit, ...rest });
    await run(['import', 'hits', '-', ...own], hits);
    expect((await run(['hits', 'explain', 'bbbb', ...own])).stdout).toContain('GPTBot');
    expect((await run(['hits', 'explain', 'bbbb', '--workspace', 'other'])).code).toBe(1);
  });

  test('a subject’s id may be shortened to its beginning; a name comes first', async () => {
    const { run } = await prepare();
    const own = ['--workspace', 'acme'];
    const first = (await run(['subject', 'add', 'Globex', ...own])).stdout.trim();
    const second = (await run(['subject', 'add', 'Initech', ...own])).stdout.trim();
    const several = await run(['subject', 'remove', first.slice(0, 8), ...own]);
    expect(several).toMatchObject({ code: 1 });
    for (const words of [`${first}  Globex`, `${second}  Initech`]) {
      expect(several.stderr).toContain(words);
    }
    const named = (await run(['subject', 'add', second.slice(-6), ...own])).stdout.trim();
    const begun = await run(['subject', 'set', second.slice(0, 35), '--name', 'Inc', ...own]);
    expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining(second) });
    const removed = await run(['subject', 'remove', second.slice(-6), ...own]);
    expect(removed.stderr).toContain(named);
    const foreign = await run(['subject', 'remove', second.slice(0, 35), '--workspace', 'other']);
    expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('no subject') });
  });
});
