import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { least, setUp } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { writeToFile } from '../../../transfer/write-output.ts';

const promptsOut = 'export prompts --workspace acme --output'.split(' ');
const promptsAsCsv = 'export prompts --workspace acme --format csv'.split(' ');

eachDatabase('overheard export', (create) => {
  test('overheard export keeps ranks that the API masks, and leaves formulas as they are', async () => {
    const { bring, listed, command } = await setUp(create);
    await bring('detections', [
      { ...least.detections, rank: 2, run_at: '2026-09-25T23:59:59.999Z' },
    ]);
    expect(await listed('detections')).toMatchObject([{ rank: 2, prompt_id: null }]);
    await bring('prompts', [{ ...least.prompts, text: '=1+1' }]);
    const { stdout } = await command(promptsAsCsv);
    expect(stdout).toContain(',=1+1,');
  });

  test('a file appears whole under its name, or not at all', async () => {
    const { bring, command } = await setUp(create);
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await bring('prompts', [least.prompts]);
    const output = join(folder, 'prompts.csv');
    const written = await command([...promptsAsCsv, '--output', output]);
    expect(written).toEqual({ code: 0, stdout: '', stderr: `${output}: 1 prompts.\n` });
    expect(await readFile(output, 'utf8')).toContain('Which CRM?');
    const nowhere = await command([
      'export',
      'prompts',
      '--workspace',
      'acme',
      '--output',
      join(folder, 'no', 'x'),
    ]);
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
    expect(await readdir(folder)).toEqual(['prompts.csv']);
  });

  test('an existing file is replaced only by --force, and by nothing half-written', async () => {
    const { bring, command } = await setUp(create);
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await bring('prompts', [least.prompts]);
    const output = join(folder, 'x.csv');
    await writeFile(output, 'mine');
    const refused = await command([...promptsOut, output]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    expect(await readFile(output, 'utf8')).toBe('mine');
    const failed = await runCommand([...promptsOut, output, '--force', '--database', 'file:none']);
    expect(failed.code).toBe(1);
    expect(await readFile(output, 'utf8')).toBe('mine');
    await symlink(output, join(folder, 'link.csv'));
    await command([...promptsOut, join(folder, 'link.csv'), '--force']);
    expect(await readFile(output, 'utf8')).toContain('Which CRM?');
    expect(await command([...promptsOut, folder, '--force'])).toMatchObject({ code: 1 });
    expect((await readdir(folder)).toSorted()).toEqual(['link.csv', 'x.csv']);
  });

  test('a file that appears during the export is kept', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const output = join(folder, 'x.csv');
    const race = (isForced: boolean) =>
      writeToFile(
        output,
        async (write) => {
          await write('ours');
          await writeFile(output, 'theirs');
        },
        { isForced },
      );
    await expect(race(false)).rejects.toThrow('output_exists');
    expect(await readFile(output, 'utf8')).toBe('theirs');
    await race(true);
    expect(await readFile(output, 'utf8')).toBe('ours');
    expect(await readdir(folder)).toEqual(['x.csv']);
  });
});
