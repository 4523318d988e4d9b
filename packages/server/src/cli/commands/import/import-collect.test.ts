import { expect, test } from 'vitest';
import { answered, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

async function whoIsOn(here: Collecting): Promise<string[]> {
  const { stdout } = await here.run('collect plan --workspace acme --readings --json');
  const { readings }: { readings: ReadonlyArray<{ prompt_id: string }> } = JSON.parse(stdout);
  const ids = new Set(readings.map(({ prompt_id: id }) => id));
  const { stdout: exported } = await here.run('export prompts --workspace acme');
  const rows: ReadonlyArray<{ id: string; text: string }> = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return rows.flatMap(({ id, text }) => (ids.has(id) ? [text] : [])).toSorted();
}

const prompt = (text: string, more: object = {}) => ({ text, locale: 'en-US', ...more });
const answer = (text: string, more: object = {}) => ({
  prompt: text,
  locale: 'en-US',
  engine: 'chatgpt',
  run_at: '2026-11-19T08:00:00Z',
  answer: 'Acme.',
  ...more,
});

const lines = (rows: readonly object[]) => ({
  stdin: rows.map((row) => JSON.stringify(row)).join('\n'),
});

eachDatabase('the column collect of an import', (create) => {
  test.each([
    ['import prompts -', prompt],
    ['answers import -', answer],
  ])(
    'the column collect switches prompts on and off with "%s", and leaves those without it as they are',
    async (command, row) => {
      const here = await startCollecting(await create(), { prompts: 0 }, answered);
      const load = (...rows: object[]) => here.run(`${command} --workspace acme`, lines(rows));
      await load(row('a'), row('b', { collect: 'on' }), row('c', { collect: 'off' }));
      expect(await whoIsOn(here)).toEqual(['b']);
      await load(row('a', { collect: 'on' }), row('b'), row('c'));
      expect(await whoIsOn(here)).toEqual(['a', 'b']);
      await load(row('a', { collect: 'off' }), row('b', { collect: 'on' }));
      expect(await whoIsOn(here)).toEqual(['b']);
      const { stdout } = await here.run('export prompts --workspace acme');
      expect(stdout).not.toContain('collect');
      // What was exported changes nothing.
      await here.run('import prompts - --workspace acme', { stdin: stdout });
      expect(await whoIsOn(here)).toEqual(['b']);
      expect((await here.run('answers export --workspace acme')).stdout).not.toContain('collect');
    },
  );

  test('the column collect is refused with its line if it is neither on nor off, or both about one prompt', async () => {
    const here = await startCollecting(await create(), { prompts: 0 }, answered);
    for (const [command, row] of [
      ['import prompts', prompt],
      ['answers import', answer],
    ] as const) {
      for (const collect of ['yes', true]) {
        const load = lines([row('a'), row('b', { collect })]);
        const { code, stderr } = await here.run(`${command} - --workspace acme`, load);
        expect([command, code]).toEqual([command, 1]);
        expect(stderr).toMatch(/2.*collect.*on.*off/s);
      }
    }
    const both = [answer('a', { collect: 'on' }), answer('a', { collect: 'off', answer: 'No.' })];
    const refused = await here.run('answers import - --workspace acme', lines(both));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('"on" as in line 1, which is of the same prompt');
    const csv = 'text,locale,collect\na,en-US,on\nb,en-US,\n';
    await here.run('import prompts - --workspace acme --format csv', { stdin: csv });
    expect(await whoIsOn(here)).toEqual(['a']);
  });
});
