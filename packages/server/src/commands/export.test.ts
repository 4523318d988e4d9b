import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnCommand } from '../../test/command-line.ts';
import { least, setUp } from '../../test/importing.ts';
import { eachDatabase } from '../../test/stores.ts';

const promptsAsCsv = 'export prompts --workspace acme --format csv'.split(' ');

eachDatabase('overheard export', (create) => {
  test("prints data alone on stdout: every field, in the contract's order, ids first", async () => {
    const { bring, command } = await setUp(create);
    await bring('scores', [{ ...least.scores, id: 'b0000000-0000-4000-8000-000000000002' }]);
    const workspace = ['scores', '--workspace', 'acme'];
    const lines = await command(['export', ...workspace]);
    const row =
      '{"id":"b0000000-0000-4000-8000-000000000002","date":"2026-11-20","engine":"chatgpt","citations":1,"total_runs":3,"sov":0.3333}';
    expect(lines).toEqual({ code: 0, stdout: `${row}\n`, stderr: '' });
    expect((await command(['export', ...workspace, '--format', 'json'])).stdout).toBe(
      `{"scores":[\n${row}\n]}\n`,
    );
    expect((await command(['export', ...workspace, '--format', 'csv'])).stdout).toBe(
      'id,date,engine,citations,total_runs,sov\nb0000000-0000-4000-8000-000000000002,2026-11-20,chatgpt,1,3,0.3333\n',
    );
    expect(
      (await command(['export', 'hits', '--workspace', 'acme', '--format', 'json'])).stdout,
    ).toBe('{"hits":[\n\n]}\n');
  });

  test('keeps ranks that the API masks, and leaves formulas as they are', async () => {
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

  test('whoever closes the pipe has seen enough', async () => {
    const { bring, url } = await setUp(create);
    await bring(
      'hits',
      Array.from({ length: 5000 }, (_, index) => ({ ...least.hits, path: `/${index}` })),
    );
    const { child, ended } = spawnCommand([
      'export',
      'hits',
      '--workspace',
      'acme',
      '--database',
      url,
    ]);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});
