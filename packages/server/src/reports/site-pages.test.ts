import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { readAnswerPage } from './answers.ts';
import { readSourceList, readSources } from './sources.ts';

const days = { from: '2026-11-19', to: '2026-11-19' };

eachStore({ title: 'the pages of a site', onBoth: false }, (open) => {
  test('the pages of a site add up to the site: links in the text count as sources do, and answers list them', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const answers: ReadonlyArray<readonly [text: string, sources: string[]]> = [
      ['See [one](https://g2.com/wiki/CRM_(tool)), or (https://g2.com/b).', ['https://g2.com/a']],
      ['Look at g2.com and *https://g2.com/b*.', []],
      ['Ask capterra.com.', []],
      ['Nothing.', ['https://g2.com/a']],
    ];
    await importRows(
      store,
      workspaceId,
      answers.map(([answer, sources], index) => {
        const at = `2026-11-19T0${index}:00:00Z`;
        return {
          prompt: 'Which tool?',
          locale: 'en-US',
          engine: 'chatgpt',
          run_at: at,
          answer,
          sources,
        };
      }),
    );
    const lines = async (by: 'site' | 'page', locale?: string) =>
      (await readSources({ db: store.reader, workspaceId }, { ...days, by, locale })).map(
        ({ site, url, runs }) => `${url ?? site} ${runs}`,
      );
    const sites = ['g2.com 3', 'capterra.com 1'];
    const pages = [
      'https://g2.com/a 2',
      'https://g2.com/b 2',
      'https://capterra.com/ 1',
      'https://g2.com/wiki/CRM_(tool) 1',
    ];
    for (const locale of [undefined, 'en-US']) {
      expect(await lines('site', locale)).toEqual(sites);
      expect(await lines('page', locale)).toEqual(pages);
    }
    const source = { db: store.reader, workspaceId };
    const { rows } = await readAnswerPage(source, { ...days, rowsMax: 50 });
    const links = Map.groupBy(
      rows.flatMap((row) => row.links),
      ({ url }) => url,
    );
    expect([...links].map(([url, { length }]) => `${url} ${length}`).toSorted()).toEqual(
      pages.toSorted(),
    );
  });

  test(
    'a list has every source, also beyond the 1,000 that a response may have',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const answers = Array.from({ length: 11 }, (_, answer) => ({
        prompt: 'Which tool?',
        engine: 'chatgpt',
        run_at: `2026-11-19T00:00:${10 + answer}Z`,
        answer: 'Globex.',
        sources: Array.from({ length: 100 }, (__, page) => `https://g2.com/${answer}/${page}`),
      }));
      const ofBrand = { ...answers[0], answer: 'Nobody.', sources: ['https://acme.com/last'] };
      await importRows(store, workspaceId, [
        ...answers,
        { ...ofBrand, run_at: '2026-11-18T00:00:00Z' },
      ]);
      const source = { db: store.reader, workspaceId };
      const query = { by: 'page', from: '2026-11-18', to: '2026-11-19' } as const;
      expect(await readSources(source, query)).toHaveLength(1000);
      const { total, rows } = await readSourceList(source, { ...query, start: 0 });
      expect([total, rows.length]).toEqual([1101, 1101]);
      const own = await readSourceList(source, { ...query, owner: 'brand', start: 0, limit: 100 });
      expect(own).toMatchObject({ total: 1, rows: [{ url: 'https://acme.com/last', runs: 1 }] });
    },
  );
});
