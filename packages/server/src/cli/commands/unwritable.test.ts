import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';
import { builtProgram, spawnCommand } from '../../../test/commands/spawn-command.ts';
import type { Outcome } from '../../../test/commands/command-line.ts';

/** Root may write everything, so the commands run as a user who owns nothing. */
const nobody = process.getuid?.() === 0 ? 65_534 : undefined;

/** The tree may lie where only root may look. */
const mayRun =
  process.platform !== 'win32' &&
  (nobody === undefined ||
    spawnSync(process.execPath, [builtProgram(), '--version'], {
      uid: nobody,
      gid: nobody,
      env: {},
    }).status === 0);

describe.runIf(mayRun)('without the right to write', () => {
  test("another user's files are refused at the start of a server, which could not count", async () => {
    const folder = await readOnly(async (path) => {
      const brand = ['--name', 'Acme', '--brand', 'Acme'];
      await runCommand(['workspace', 'create', 'acme', ...brand, '--database', path]);
    });
    const path = join(folder, 'overheard.db');
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
    const { code, stderr } = await run(['serve', '--port', '0'], path);
    expect(code, stderr).toBe(1);
    expect(stderr).toMatch(/^\S+ cannot be written by this user \(uid \d+\): [^\n]+\n$/);
    const diagnosed = await run(['doctor'], path);
    expect(diagnosed.code).toBe(1);
    expect(diagnosed.stdout).toMatch(/^problem +permissions/m);
    expect(diagnosed.stderr).not.toContain('bug');
  });
});

function run(command: readonly string[], path: string): Promise<Outcome> {
  return spawnCommand([...command, '--database', path], { user: nobody }).ended;
}

/** A folder with a file, which `fill` may add to before nobody may write there any more. */
async function readOnly(fill: (path: string) => Promise<void> = async () => {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-read-only-'));
  onTestFinished(async () => {
    chmodSync(folder, 0o700);
    await rm(folder, { recursive: true, force: true });
  });
  await fill(join(folder, 'overheard.db'));
  await writeFile(join(folder, 'file'), '');
  chmodSync(folder, 0o555);
  return folder;
}
