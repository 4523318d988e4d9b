import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { aPrompt, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { promptId } from '../values/uuid.ts';
import { previewPaste, promptLengthMax, readUsualLocale } from './paste-prompts.ts';

const place = { language: 'en', locale: 'en-US' };

eachStore({ title: 'pasted prompts', onBoth: false }, (open) => {
  test('pasted prompts are new, tracked, repeated or invalid, each by the number of its line', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const text = 'Caf\u00e9 software?';
    await writeRows(store, workspaceId, {
      prompts: [{ ...aPrompt(), text, ...place, id: promptId({ text, ...place }) }],
    });
    const lines = [
      '\ufeff Which CRM? ',
      '',
      'Cafe\u0301 software?',
      'Is Acme good?\u00a0',
      'Which CRM?',
      'Acme or Globex?',
      'Which\tCRM?',
      'a\u0007b',
      'a\u2028b',
      'x'.repeat(promptLengthMax + 1),
      '???',
      'Which \ufffd?',
      '<script>alert(1)</script>',
      '\u05d0\u05d9\u05d6\u05d4 CRM?',
    ];
    const { fresh, tracked, repeated, invalid } = await previewPaste(store.reader, workspaceId, {
      pasted: lines.join('\r\n'),
      ...place,
    });
    expect(
      fresh.map((each) => [each.line, each.text, each.isBranded, each.namesCompetitor]),
    ).toEqual([
      [1, 'Which CRM?', false, false],
      [4, 'Is Acme good?', true, false],
      [6, 'Acme or Globex?', true, true],
      [13, '<script>alert(1)</script>', false, false],
      [14, '\u05d0\u05d9\u05d6\u05d4 CRM?', false, false],
    ]);
    expect(fresh[0]?.id).toBe(promptId({ text: 'Which CRM?', ...place }));
    expect(tracked).toEqual([3]);
    expect(repeated).toEqual([{ line: 5, first: 1 }]);
    expect(invalid.map(({ line }) => line)).toEqual([7, 8, 9, 10, 11, 12]);
  });

  test('pasted prompts have the locale of most prompts, unless another is typed', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    expect(await readUsualLocale(store.reader, workspaceId)).toBeUndefined();
    const prompts = ['de-DE', 'en-GB', 'en-GB', 'fr-FR'].map((locale, index) => ({
      ...aPrompt(),
      id: idOf(index + 1),
      locale,
    }));
    await writeRows(store, workspaceId, { prompts });
    expect(await readUsualLocale(store.reader, workspaceId)).toBe('en-GB');
  });
});
