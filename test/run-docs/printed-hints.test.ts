import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../packages/server/test/commands/command-line.ts';
import { repository } from '../source-files.ts';

const bin = join(repository, 'node_modules/.bin');

test('no help, result, refusal or advice has a command that the reader cannot type', async () => {
  const { folder } = place();
  const database = ['--database', `file:${join(folder, 'a.db')}`];
  for (const [line, ...more] of [
    ['--help'],
    ['help key'],
    ['help workspace create'],
    ['doctor', ...database],
    ['doctor --json', ...database],
    ['workspace create acme --name Acme --brand Acme', ...database],
    ['key list', ...database],
    ['key revoke nothing', ...database],
    ['subject remove nobody --workspace acme', ...database],
    ['bots explain GPTBot/1.3 --ip 20.171.207.5 --no-dns', ...database],
  ]) {
    const args = [...(line ?? '').split(' '), ...more];
    const { stdout, stderr } = await runCommand(args, { calledAs: 'npx overheard' });
    const named =
      (stdout + stderr).match(/\S*(?<=[\s`(])overheard (?=[a-z]{3,}|--|COMMAND|\[)/g) ?? [];
    const typed = (stdout + stderr).match(/npx overheard (?=[a-z]{3,}|--|COMMAND|\[)/g) ?? [];
    expect([line, typed.length]).toEqual([line, Math.max(1, named.length)]);
  }
});

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-hints-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
  ): string => {
    const outcome = spawnSync(process.execPath, [join(bin, 'overheard'), ...args], {
      cwd,
      env,
      encoding: 'utf8',
    });
    return outcome.stdout + outcome.stderr;
  };
  return { folder, run };
}
