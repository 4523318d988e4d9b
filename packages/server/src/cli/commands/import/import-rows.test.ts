import { expect, test } from 'vitest';
import { at, least, setUp, stored, subject } from '../../../../test/answers/importing.ts';
import type { Kind } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const kinds: readonly Kind[] = ['prompts', 'actions', 'scores', 'detections', 'hits'];

eachDatabase('overheard import', (create) => {
  test('rows with only the required fields are stored in normal form, and importing them again changes nothing', async () => {
    const { bring, listed } = await setUp(create);
    for (const kind of kinds) {
      const first = await bring(kind, [least[kind]]);
      expect(first).toMatchObject({ code: 0, stdout: '' });
      expect(first.stderr).toContain(`1 ${kind.slice(0, -1)} read: 1 new, 0 changed, 0 unchanged.`);
      const rows = await listed(kind);
      expect(rows).toEqual([
        { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5/), ...stored[kind] },
      ]);

      // A later clock gives no other defaults: they are for new rows.
      const again = await bring(kind, [least[kind]], { nowMs: at + 1000 });
      expect(again.stderr).toContain('0 new, 0 changed, 1 unchanged.');
      expect(await listed(kind)).toEqual(rows);
    }
  });

  test('an id that another workspace has too is a row of its own', async () => {
    const { bring, listed } = await setUp(create, ['acme', 'globex']);
    const hit = { ...least.hits, id: subject };
    await bring('hits', [hit]);
    const other = await bring('hits', [{ ...hit, path: '/other' }], { slug: 'globex' });
    expect(other.stderr).toContain('1 new');
    expect(await listed('hits')).toMatchObject([{ id: subject, path: '/' }]);
    expect(await listed('hits', 'globex')).toMatchObject([{ id: subject, path: '/other' }]);
  });

  test('equal hits stay apart, and the same file again changes nothing', async () => {
    const { bring, listed } = await setUp(create);
    const hits = [least.hits, { ...least.hits, path: '/b' }, least.hits, least.hits];
    expect((await bring('hits', hits)).stderr).toContain('4 new');
    expect(await listed('hits')).toHaveLength(4);
    expect((await bring('hits', hits)).stderr).toContain('0 new, 0 changed, 4 unchanged');
    // Their export names them; beside the file itself it adds nothing.
    const exported = await listed('hits');
    expect((await bring('hits', [...exported, ...hits, ...exported])).stderr).toContain(
      '0 new, 0 changed, 12',
    );
    expect((await bring('hits', [...hits, least.hits])).stderr).toContain(
      '1 new, 0 changed, 4 unchanged',
    );
  });

  test("a spreadsheet's CSV is read as it comes", async () => {
    const { bring, listed } = await setUp(create);
    const content =
      '\ufefftext;locale;active;created_at\r\n"Which; ""best""\r\nCRM?";de-ch;FALSE;\r\n;;;\r\n';
    const { stderr } = await bring('prompts', content);
    expect(stderr).toContain('1 prompt read: 1 new');
    expect(await listed('prompts')).toMatchObject([
      {
        text: 'Which; "best"\r\nCRM?',
        language: 'de',
        locale: 'de-CH',
        active: false,
        created_at: '2026-11-20T12:34:56.789Z',
      },
    ]);
    await bring(
      'prompts',
      await listed('prompts').then((rows) => rows.map((row) => ({ ...row, active: true }))),
    );
    // An empty cell says nothing.
    expect((await bring('prompts', content.replace('FALSE', ''))).stderr).toContain(
      '0 changed, 1 unchanged',
    );
  });

  test.each([';', '\t'])('numbers have decimal commas where %j separates', async (separator) => {
    const { bring, listed } = await setUp(create);
    const lines = ['Date,Engine,Citations,Total_Runs,SOV', '2026-11-20,chatgpt,1,3,0#35'];
    const content = lines.join('\n').replaceAll(',', separator).replace('#', ',');
    expect((await bring('scores', content)).stderr).toContain('1 score read: 1 new');
    expect(await listed('scores')).toMatchObject([{ citations: 1, total_runs: 3, sov: 0.35 }]);
    const grouped = await bring('scores', content.replace('3', '1,234'));
    expect(grouped.stderr).toContain(
      ':2: field "total_runs": expected a whole number of 0 or more, below 2^53 (write a decimal point, and nothing between thousands), found "1,234"',
    );
  });
});
