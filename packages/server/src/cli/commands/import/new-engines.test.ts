import { expect, test } from 'vitest';
import { least, setUp, subject } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const run = { engine: 'chatgpt', run_at: '2026-11-19T06:00:00Z' };
const doors = [
  ['answers', ['answers', 'import'], { ...run, prompt: 'Which tool?', answer: 'Acme.' }, {}],
  ['scores', ['import', 'scores'], least.scores, {}],
  ['detections', ['import', 'detections'], { ...least.detections, ...run }, { run_id: subject }],
] as const;

eachDatabase('an engine that Overheard does not know', (create) => {
  test.each(doors)(
    'an unknown engine in %s is refused at its first line if it is almost a known one, and nothing is imported',
    async (_name, command, row, other) => {
      const { bring, listed } = await prepare(command);
      const again = { ...row, ...other, engine: 'chatgtp' };
      const rows = [row, again, again];
      const { code, stderr } = await bring(rows);
      expect(code).toBe(1);
      expect(stderr).toContain(
        'standard input:2: field "engine": expected a known engine; did you mean chatgpt?',
      );
      expect(stderr).not.toContain('standard input:3');
      expect(await listed()).toEqual([]);
    },
  );

  test.each(doors)(
    'an engine that Overheard does not know is taken in %s with --new-engine',
    async (_name, command, row) => {
      const { bring, listed } = await prepare(command);
      const { code, stderr } = await bring([{ ...row, engine: 'chatgtp' }], '--new-engine');
      expect(code).toBe(0);
      expect(stderr).toContain('New engine: chatgtp.');
      expect(await listed()).toMatchObject([{ engine: 'chatgtp' }]);
    },
  );

  test.each(doors)('passes in %s with a notice, once', async (_name, command, row) => {
    const { bring } = await prepare(command);
    const first = await bring([{ ...row, engine: 'kagi' }]);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('New engine: kagi.') });
    const again = await bring([{ ...row, engine: 'kagi' }]);
    expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('New engine') });
  });

  test.each(doors)(
    "an engine that Overheard does not know is refused in %s where it is nearly one of the workspace's own",
    async (_name, command, row, other) => {
      const { bring } = await prepare(command);
      await bring([{ ...row, engine: 'our_engine' }]);
      const { code, stderr } = await bring([{ ...row, ...other, engine: 'our_engin' }]);
      expect(code).toBe(1);
      expect(stderr).toContain('did you mean our_engine?');
    },
  );

  test("another workspace's engines are unknown here", async () => {
    const [, command, row] = doors[1];
    const { bring } = await prepare(command, ['acme', 'other']);
    await bring([{ ...row, engine: 'kagi' }]);
    const { stderr } = await bring([{ ...row, engine: 'kagi' }], '--workspace', 'other');
    expect(stderr).toContain('New engine: kagi.');
  });

  async function prepare(command: readonly string[], slugs = ['acme']) {
    const { command: call, listed } = await setUp(create, slugs);
    const kind = command.includes('scores') ? 'scores' : 'detections';
    return {
      bring: (rows: readonly object[], ...flags: string[]) =>
        call(
          [...command, '-', '--workspace', 'acme', ...flags],
          rows.map((row) => JSON.stringify(row)).join('\n'),
        ),
      listed: () => listed(kind),
    };
  }
});
