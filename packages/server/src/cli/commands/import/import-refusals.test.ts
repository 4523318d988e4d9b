import { expect, test } from 'vitest';
import { least, prompt, setUp } from '../../../../test/answers/importing.ts';
import type { Kind } from '../../../../test/answers/importing.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';
import { withStore } from '../../define/with-store.ts';

/** Fields that are wrong, one at a time, and what is said about each. */
const wrongFields: ReadonlyArray<
  readonly [kind: Kind, fields: Readonly<Record<string, unknown>>, words: string]
> = [
  [
    'scores',
    { date: '2026-02-30' },
    'expected a day of the calendar such as 2026-11-20, found "2026-02-30"',
  ],
  ['scores', { date: '20.11.2026' }, 'expected a day of the calendar'],
  ['scores', { engine: 'ChatGPT' }, 'such as chatgpt, found "ChatGPT"'],
  ['scores', { citations: 2 ** 53 }, 'expected a whole number of 0 or more, below 2^53'],
  ['scores', { citations: 1.5 }, 'expected a whole number'],
  ['scores', { citations: -1 }, 'expected a whole number of 0 or more'],
  ['scores', { citations: '1' }, 'expected a whole number of 0 or more, below 2^53, found "1"'],
  ['scores', { citations: 4 }, 'expected at most total_runs, which is 3, found 4'],
  ['scores', { sov: 1.00001 }, 'expected a number from 0 to 1, found 1.00001'],
  ['scores', { sov: null }, 'expected a number from 0 to 1, found null'],
  ['scores', { sov: undefined }, 'expected a number from 0 to 1; the field is missing'],
  ['prompts', { text: '' }, 'expected text that is not empty, found ""'],
  ['prompts', { text: 'a\0b' }, 'expected text without NUL characters'],
  ['prompts', { text: '\ud800' }, 'expected well-formed text'],
  ['prompts', { locale: 'en' }, 'with its region, such as en-US, found "en"'],
  ['prompts', { locale: 'en_US' }, 'expected a locale of BCP 47'],
  ['prompts', { language: 'english' }, 'expected a language of BCP 47 such as en'],
  ['prompts', { active: 'yes' }, 'expected true or false, found "yes"'],
  ['prompts', { created_at: '2026-11-20T12:00:00' }, 'expected a moment with its zone such as'],
  ['prompts', { created_at: '2026-02-30T12:00:00Z' }, 'expected a moment with its zone'],
  ['prompts', { created_at: 1763642096 }, 'expected a moment with its zone'],
  ['prompts', { id: 'x' }, 'expected a UUID such as'],
  [
    'actions',
    { status: 'opne' },
    'expected one of open, in_progress, done, dismissed, found "opne"',
  ],
  ['actions', { impact_score: 100.1 }, 'expected a number from 0 to 100, or null'],
  ['hits', { status: 1000 }, 'expected a whole number from 0 to 999, or null'],
  ['hits', { category: 'Crawler' }, 'expected one of crawler, search, user'],
  ['detections', { sentiment: 'mixed' }, 'expected one of positive, neutral, negative, or null'],
  ['detections', { rank: 0 }, 'expected a whole number of 1 or more'],
];

/** Files that are refused before any row can be. */
const wrongFiles: ReadonlyArray<
  readonly [kind: Kind, content: string | Uint8Array, words: string]
> = [
  ['scores', `${JSON.stringify(least.scores).slice(0, -1)},"sov":NaN}`, 'field "sov": expected'],
  [
    'scores',
    JSON.stringify(least.scores).replace('"citations":1', '"citations":1e400'),
    ':1: field "citations": expected a whole number of 0 or more, below 2^53, found Infinity',
  ],
  [
    'scores',
    'date,engine,citations,total_runs,sov\n2026-11-20,chatgpt,1,3,NaN\n',
    ':2: field "sov": expected a number from 0 to 1, found "NaN"',
  ],
  ['scores', 'date,engine,citations,total_runs,sov\n2026-11-20,chatgpt," 1",3,0\n', 'found " 1"'],
  ['prompts', 'text,locale,statsu\n', 'there is no field of this name'],
  ['prompts', 'text,text\n', 'expected one column of this name'],
  ['prompts', Buffer.from('text,locale\n', 'utf16le'), 'is in UTF-16'],
  ['prompts', Buffer.from('text,locale\ncaf\xe9,en-US\n', 'latin1'), ':2: expected UTF-8'],
  ['prompts', '{"hits":[]}', 'field "hits"'],
];

eachDatabase('a file that is refused', (create) => {
  test('a file that is refused says where and what was expected, and changes nothing', async () => {
    const { url, bring, listed } = await setUp(create);
    const revision = async (): Promise<unknown> =>
      withStore(url, async (store) => {
        const { id } = await findWorkspace(store.reader, 'acme');
        return store.reader
          .selectFrom('revisions')
          .selectAll()
          .where('workspace_id', '=', id)
          .execute();
      });
    await bring('prompts', [least.prompts]);
    const before = await revision();
    for (const [kind, fields, words] of wrongFields) {
      const [field] = Object.keys(fields);
      const outcome = await bring(kind, [least[kind], { ...least[kind], ...fields }]);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain(`standard input:2: field "${field}": expected`);
      expect(outcome.stderr).toContain(words);
      expect(outcome.stderr).toMatch(/\nNothing was imported\.\n$/);
    }
    for (const [kind, content, words] of wrongFiles) {
      const outcome = await bring(kind, content);
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain(words);
      expect(outcome.stderr).toMatch(/\nNothing was imported\.\n$/);
    }
    expect(await listed('prompts')).toHaveLength(1);
    expect(await revision()).toEqual(before);
    // Nor does a file whose rows are stored already.
    await bring('prompts', [least.prompts]);
    expect(await revision()).toEqual(before);
  });

  test('a file is refused for one bad row among many, and every bad row is counted', async () => {
    const { bring, listed } = await setUp(create);
    const rows = Array.from({ length: 3000 }, (_, index) => ({ ...least.hits, path: `/${index}` }));
    const one = await bring('hits', rows.with(2345, { ...least.hits, path: '' }));
    expect(one.stderr).toBe(
      'standard input:2346: field "path": expected text that is not empty, found "".\nNothing was imported.\n',
    );
    const many = await bring(
      'hits',
      rows.map((row, index) => (index % 30 === 0 ? { ...row, method: 1 } : row)),
    );
    expect(many.stderr.split('\n')).toHaveLength(23);
    expect(many.stderr).toContain('\n... and 80 more.\nNothing was imported.\n');
    expect(await listed('hits')).toEqual([]);
  });

  test('a refused file leaves no first rows behind if a later row contradicts a stored one', async () => {
    const { bring, listed } = await setUp(create);
    const row = { ...least.detections, subject_id: prompt, id: prompt };
    await bring('detections', [row]);
    const more = Array.from({ length: 600 }, () => ({
      ...least.detections,
      run_id: crypto.randomUUID(),
    }));
    const outcome = await bring('detections', [...more, { ...row, id: crypto.randomUUID() }]);
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toContain('standard input:601: field "id"');
    expect(await listed('detections')).toHaveLength(1);
  });
});

eachDatabase('wrong usage', (create) => {
  test('wrong usage ends with exit code 2 and a sentence', async () => {
    const { command } = await setUp(create);
    const workspace = ['--workspace', 'acme'];
    expect(await command(['import', 'prompt', '-', ...workspace])).toMatchObject({ code: 2 });
    expect(await command(['import', 'prompts', ...workspace])).toMatchObject({ code: 2 });
    expect(
      await command(['import', 'prompts', '-', ...workspace, '--format', 'xml']),
    ).toMatchObject({ code: 2 });
    expect(await command(['import', 'prompts', '-'])).toMatchObject({ code: 2 });
    const unknown = await command(['import', 'prompts', '-', '--workspace', 'acne']);
    expect(unknown).toMatchObject({ code: 1 });
    expect(unknown.stderr).toContain('Did you mean "acme"?');
    const missing = await command(['import', 'prompts', 'nowhere/rows.csv', ...workspace]);
    expect(missing).toMatchObject({
      code: 1,
      stderr: 'nowhere/rows.csv cannot be read: there is no such file.\n',
    });
  });
});
