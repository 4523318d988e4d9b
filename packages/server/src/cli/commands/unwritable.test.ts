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
  test(
    'a folder that cannot be made is said in one sentence, and ends with 1',
    { tags: ['long'] },
    async () => {
      const folder = await readOnly();
      const file = join(folder, 'file');
      const serve = ['serve', '--port', '0', '--create'];
      const create = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
      for (const [command, path, reason] of [
        [serve, join(folder, 'var', 'lib', 'overheard.db'), 'this user may not write there'],
        [create, join(folder, 'overheard.db'), 'this user may not write there'],
        [serve, join(file, 'overheard.db'), 'is a file'],
        [create, '/dev/null/x/overheard.db', 'is a file'],
      ] as const) {
        const { code, stdout, stderr } = await run(command, path);
        expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
        expect(stderr).toMatch(/^The (folder|file) \S+ cannot be made: [^\n]+\n$/);
        expect(stderr).toContain(reason);
        expect(stderr).not.toContain('.new');
      }
    },
  );

  test("another user's files are refused at the start of a server, which could not count", async () => {
    const folder = await readOnly(async (path) => {
      const brand = ['--name', 'Acme', '--brand', 'Acme'];
      await runCommand(['workspace', 'create', 'acme', ...brand, '--database', path]);
    });
    const path = join(folder, 'overheard.db');
    for (const mode of [0o444, 0o000]) {
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), mode);
      const { code, stderr } = await run(['serve', '--port', '0'], path);
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(/^\S+ cannot be written by this user \(uid \d+\): [^\n]+\n$/);
      const diagnosed = await run(['doctor'], path);
      expect(diagnosed.code).toBe(1);
      expect(diagnosed.stdout).toMatch(/^problem +permissions/m);
      expect(diagnosed.stderr).not.toContain('bug');
    }
    const listed = await run(['workspace', 'list'], path);
    expect(listed.code).toBe(1);
    expect(listed.stderr).toMatch(/^[^\n]+ cannot be read\.[^\n]+\n$/);
  });

  test(
    'a folder that cannot be entered is said, and not that there is no database',
    { tags: ['long'] },
    async () => {
      const folder = await readOnly();
      chmodSync(folder, 0o000);
      for (const command of [
        ['workspace', 'list'],
        ['serve', '--port', '0', '--create'],
      ]) {
        const { code, stderr } = await run(command, join(folder, 'overheard.db'));
        expect(code).toBe(1);
        expect(stderr).toMatch(/^\S+ cannot be reached\. [^\n]+\n$/);
      }
      const diagnosed = await run(['doctor'], join(folder, 'overheard.db'));
      expect(diagnosed.code).toBe(1);
      expect(diagnosed.stdout).toMatch(/^problem +files +The database cannot be reached\.\n/);
      expect(diagnosed.stdout).not.toContain('There is no database');
    },
  );

  test('doctor works in a folder that cannot be listed, and backup says why it fails there', async () => {
    const folder = await readOnly(async (path) => {
      const brand = ['--name', 'Acme', '--brand', 'Acme'];
      await runCommand(['workspace', 'create', 'acme', ...brand, '--database', path]);
    });
    const path = join(folder, 'overheard.db');
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o666);
    chmodSync(folder, 0o333);
    const diagnosed = await run(['doctor'], path);
    expect(diagnosed.stderr).not.toContain('bug');
    expect(diagnosed.stdout).toMatch(/^ok +counters/m);
    const backup = await run(['backup', join(folder, 'backup')], path);
    expect(backup.code).toBe(1);
    expect(backup.stderr).toMatch(/^\S+ cannot be read and written\. [^\n]+\n$/);
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
