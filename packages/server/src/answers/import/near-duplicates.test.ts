import { describe, expect, test } from 'vitest';
import { setUp } from '../../../test/answers/importing.ts';
import { eachDatabase } from '../../../test/stores/stores.ts';

const row = {
  prompt: 'Which CRM suits a small agency?',
  engine: 'chatgpt',
  model: 'gpt-5',
  run_at: '2026-11-19T06:00:00.123Z',
  answer: 'Take Globex, which many small agencies use, or Acme.',
};
const first = '00000000-0000-4000-8000-000000000001';
const { model: _, ...withoutModel } = row;

/** Rows that probably repeat the first one, and the difference that the message names. */
const again: Array<[what: string, row: object, told: string]> = [
  [
    'a newline behind the answer',
    { ...row, answer: `${row.answer}\n` },
    String.raw`field "answer": expected "...ll agencies use, or Acme." as in line 1, of the same prompt, engine and run_at (--accept counts both), found "...ll agencies use, or Acme.\n".`,
  ],
  ['no model', withoutModel, 'field "model": expected "gpt-5" as in line 1'],
  [
    'the same moment in another zone, with microseconds',
    { ...row, answer: 'Acme.', run_at: '2026-11-19T07:00:00.123999+01:00' },
    'found "Acme.".',
  ],
];

const others: Array<[what: string, row: object]> = [
  ['a millisecond later', { ...row, answer: 'Acme.', run_at: '2026-11-19T06:00:00.124Z' }],
  ['of another model', { ...row, answer: 'Acme.', model: 'gpt-6' }],
  ['with an id of its own', { ...row, answer: 'Acme.', id: first }],
];

eachDatabase({ title: 'an answer that is nearly that of another run', onBoth: false }, (create) => {
  test.each(again)(
    'a near duplicate in one file is refused, with both texts: %s',
    async (_what, near, told) => {
      const { bring, runs } = await prepare();
      const { code, stderr } = await bring([row, near]);
      expect(code).toBe(1);
      expect(stderr).toContain(`standard input:2: `);
      expect(stderr).toContain(told);
      expect(stderr).toContain('Nothing was imported.');
      expect(await runs()).toBe(0);
    },
  );

  test.each(again)('a near duplicate of a stored run is refused: %s', async (_what, near) => {
    const { bring, runs } = await prepare();
    await bring([row]);
    const { code, stderr } = await bring([{ ...row, run_at: '2026-11-18T06:00:00Z' }, near]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/standard input:2: .* as of the run [0-9a-f-]{36}, of the same prompt/);
    expect(await runs()).toBe(1);
  });

  test.each(again)(
    '--accept imports a near duplicate, and importing it again adds nothing: %s',
    async (_what, near) => {
      const { bring } = await prepare();
      expect(await bring([row, near], '--accept')).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('Imported 2 new runs'),
      });
      expect(await bring([near, row])).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('2 were there already'),
      });
    },
  );

  test.each(others)('an answer is accepted as another run %s', async (_what, other) => {
    const { bring } = await prepare();
    expect(await bring([row, other])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Imported 2 new runs'),
    });
    expect(await bring([other, row])).toMatchObject({ code: 0 });
  });

  describe('of rows that give a day alone, whose time is unknown,', () => {
    const day = { ...row, run_at: '2026-11-19' };
    const zone = ['--timezone', 'Europe/Berlin'];

    test('answers with a day but no time are different runs if their texts differ, in one file or in two', async () => {
      const { bring, runs } = await prepare();
      expect(await bring([day, { ...day, answer: 'Acme.' }], ...zone)).toMatchObject({ code: 0 });
      const later = [
        { ...day, answer: 'Globex.' },
        { ...day, model: undefined, answer: 'Initech.' },
      ];
      expect(await bring(later, ...zone)).toMatchObject({ code: 0 });
      expect(await runs()).toBe(4);
    });

    test.each([
      ['a newline behind it', { ...day, answer: `${day.answer}\n` }],
      ['no model', { ...withoutModel, run_at: day.run_at }],
    ])(
      'an answer with a day but no time is refused if its text occurred already: %s',
      async (_what, near) => {
        const { bring, runs } = await prepare();
        expect(await bring([day, { ...day, answer: 'Acme.' }, near], ...zone)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/^standard input:3: .* as in line 1,/),
        });
        await bring([day], ...zone);
        expect(await bring([near], ...zone)).toMatchObject({ code: 1 });
        expect(await runs()).toBe(1);
      },
    );

    test('a midnight that was written as a time is a known time', async () => {
      const { bring } = await prepare();
      const midnight = { ...row, run_at: '2026-11-19 00:00' };
      expect(await bring([midnight, { ...midnight, answer: 'Acme.' }], ...zone)).toMatchObject({
        code: 1,
      });
    });
  });

  test('a near duplicate is refused, however far apart the two are in a file', async () => {
    const { bring } = await prepare();
    const between = Array.from({ length: 450 }, (_row, index) => ({
      ...row,
      run_at: new Date(Date.UTC(2026, 9, 1) + index * 60_000).toISOString(),
    }));
    const { stderr } = await bring([row, ...between, { ...row, answer: `${row.answer} ` }]);
    expect(stderr).toMatch(/^standard input:452: .* as in line 1,/);
  });

  async function prepare() {
    const { command, listed } = await setUp(create);
    return {
      bring: (rows: readonly object[], ...flags: string[]) =>
        command(
          ['answers', 'import', '-', '--workspace', 'acme', '--format', 'ndjson', ...flags],
          rows.map((one) => JSON.stringify(one)).join('\n'),
        ),
      runs: async () => new Set((await listed('detections')).map((one) => one['run_id'])).size,
    };
  }
});
