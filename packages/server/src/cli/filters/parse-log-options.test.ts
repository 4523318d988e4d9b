import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';

test('the refusal of a time names the option that has it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (line: string) =>
    runCommand([...line.split(' '), '--database', `file:${join(folder, 'a.db')}`]);
  await run('workspace create acme --name Acme --brand Acme');
  for (const [line, flag] of [
    ['answers redetect --workspace acme', '--since'],
    ['referrals --workspace acme', '--until'],
    ['ranges import list.json', '--fetched-at'],
    ['ranges remove openai/gptbot', '--first-at'],
    ['robots remove --host www.acme.com --workspace acme', '--at'],
  ] as const) {
    const { code, stderr } = await run(`${line} ${flag} soon`);
    expect([line, code]).toEqual([line, 2]);
    expect(stderr).toMatch(new RegExp(`^${flag} must be .*, not "soon"\\.`));
  }
});
