import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../test/commands/command-line.ts';

const create = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];

// Windows lets only some users make links.
describe.runIf(process.platform !== 'win32')('a link to a database', () => {
  test('a database opened by a symlink uses the keys file of its target', async () => {
    const [real, links] = [await newFolder(), await newFolder()];
    await runCommand([...create, '--database', join(real, 'overheard.db')]);
    const link = join(links, 'linked.db');
    await symlink(join(real, 'overheard.db'), link);
    const key = await runCommand(['key', 'create', '--workspace', 'acme', '--database', link]);
    expect(key).toMatchObject({ code: 0 });
    const listed = await runCommand([
      'key',
      'list',
      '--json',
      '--database',
      join(real, 'overheard.db'),
    ]);
    expect(listed.stdout).toContain(key.stdout.trim().slice(-4));
    const diagnosed = await runCommand(['doctor', '--database', link]);
    expect(diagnosed).toMatchObject({ code: 0 });
    expect(await readdir(links)).toEqual(['linked.db']);
  });

  test('a link that leads to nothing is refused in one sentence, and no file is made', async () => {
    const folder = await newFolder();
    const link = join(folder, 'overheard.db');
    await symlink(join(folder, 'nowhere.db'), link);
    for (const command of [create, ['workspace', 'list'], ['serve', '--port', '0', '--create']]) {
      const { code, stderr } = await runCommand([...command, '--database', link]);
      expect(code, stderr).toBe(1);
      expect(stderr).toMatch(/^\S+ is a link to a file that does not exist\. [^\n]+\n$/);
    }
    const diagnosed = await runCommand(['doctor', '--database', link]);
    expect(diagnosed).toMatchObject({ code: 1, stdout: expect.stringContaining('is a link to') });
    expect(await readdir(folder)).toEqual(['overheard.db']);
  });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-linked-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
