import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { readCohortChanges } from './cohort-changes.ts';

const november = { from: '2026-11-02', to: '2026-11-30' };

/** Each word is a day from the 1st on: the models that answered on it, `.` for none. */
async function importDays(store: Store, workspaceId: string, days: string, more: object = {}) {
  const rows = days.split(' ').flatMap((models, place) =>
    [...models.replace('.', '')].map((model) => ({
      prompt: 'Which CRM?',
      engine: 'own_api',
      model,
      run_at: `2026-11-0${place + 1}T06:00:00Z`,
      answer: `Acme, says ${model}.`,
      ...more,
    })),
  );
  await importRows(store, workspaceId, rows);
}

eachStore({ title: 'the changes of engines', onBoth: false }, (open) => {
  test.each([
    ['a a a', []],
    ['a b b', ['02 b<a']],
    ['a ab b', ['02 b<a']],
    ['a b a', ['02 b<a', '03 a<b']],
    ['a . . b', ['04 b<a']],
    ['. a', []],
    // The first day is before the period.
    ['a b', ['02 b<a']],
  ])(
    'the changes of engines in "%s" are the days on which a new model answers',
    async (days, changes) => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      await importDays(store, workspaceId, days);
      const found = await readCohortChanges({ db: store.reader, workspaceId }, november);
      expect(
        found.map(
          ({ date, models, modelsBefore }) =>
            `${date.slice(-2)} ${models.join()}<${modelsBefore.join()}`,
        ),
      ).toEqual(changes);
    },
  );

  test('a new locale, a new engine and the models of another workspace are not changes of an engine', async () => {
    const { store } = await open();
    const [workspaceId, other] = [await aWorkspace(store), await aWorkspace(store)];
    await importDays(store, workspaceId, 'a a');
    await importDays(store, workspaceId, '. a a', { locale: 'de-DE' });
    await importDays(store, workspaceId, '. b b', { engine: 'other_api' });
    await importDays(store, other, 'a b c');
    const source = { db: store.reader, workspaceId };
    expect(await readCohortChanges(source, november)).toEqual([]);
    expect(
      await readCohortChanges({ ...source, workspaceId: other }, { ...november, engine: 'x_api' }),
    ).toEqual([]);
  });
});
