import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, newTenant, startApi } from '../../../test/servers/api.ts';
import { idOf, writeRows } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';

const path = '/api/v1/prompts';
const body = z.object({ prompts: z.array(z.object({ id: z.string(), text: z.string() })) });

eachStore('the parameters of prompts', (open) => {
  /** 1,100 prompts: the 64 oldest are asked, and ten share each moment. */
  async function tenant() {
    const { store } = await open();
    const { workspaceId, key } = await newTenant(store);
    const prompts = Array.from({ length: 1100 }, (_, index) => ({
      id: idOf(index),
      text: index % 2 === 0 ? `Which CRM suits agency ${index}?` : `Wofür taugt ÉCLAT ${index}_a?`,
      language: 'en',
      locale: 'en-US',
      active: index < 64,
      created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 10) * 60_000).toISOString(),
    }));
    await writeRows(store, workspaceId, { prompts });
    const api = await startApi(store, { quota: 0 });
    // Ids rise with the moments, and within a moment the lower one is first.
    const order = prompts
      .map(({ id }, index) => ({ id, moment: Math.floor(index / 10) }))
      .toSorted((left, right) => right.moment - left.moment)
      .map(({ id }) => id);
    return { api, store, key, order };
  }

  test('all prompts come in pages from cursor=start, each once, in the order without parameters', async () => {
    const { api, key, order } = await tenant();
    const plain = await call(api, path, { key });
    expect(plain.headers['link']).toBeUndefined();
    expect(idsOf(plain)).toEqual(order.slice(0, 500));
    expect(await follow(api, key, '?cursor=start')).toEqual(order);
  });

  test(
    'prompts are chosen by ids, by whether they are asked, and by a part of their text in any case',
    { tags: ['once'] },
    async () => {
      const { api, key, order } = await tenant();
      const read = (query: string) => follow(api, key, query);
      const [asked, others] = [true, false].map((is) =>
        order.filter((id) => Number(id.slice(-4)) < 64 === is),
      );
      expect(await read('?active=true')).toEqual(asked);
      expect(await read('?active=false')).toEqual(others);
      const ids = [idOf(7).toUpperCase(), idOf(1), idOf(7), idOf(999_999)].join(',');
      expect(await read(`?prompt_id=${ids}`)).toEqual([idOf(1), idOf(7)]);
      expect(await read(`?search=${encodeURIComponent('éclat 101_A')}`)).toEqual([idOf(101)]);
      expect(await read('?search=AGENCY&active=true')).toHaveLength(32);
      expect(await read('?search=agency')).toHaveLength(550);
      expect(await read('?search=suits-agency')).toHaveLength(550);
      expect(await read('?search=%25')).toEqual([]);
    },
  );

  test(
    'wrong parameters of prompts are refused, and a cursor of another query',
    { tags: ['once'] },
    async () => {
      const { api, key } = await tenant();
      const many = Array.from({ length: 51 }, (_, index) => idOf(index)).join(',');
      const { link } = (await call(api, `${path}?active=false`, { key })).headers;
      const cursor = /cursor=([^>&]+)/.exec(String(link))?.[1] ?? '';
      for (const query of [
        `prompt_id=${many}`,
        'prompt_id=x',
        `prompt_id=${idOf(1)},`,
        'active=yes',
        'search=',
        'cursor=end',
        `cursor=${cursor}`,
      ]) {
        const refused = await call(api, `${path}?${query}`, { key });
        expect([query, refused.statusCode, refused.json().code]).toEqual([
          query,
          400,
          'invalid_parameter',
        ]);
      }
      expect((await call(api, `${path}?active=false&cursor=${cursor}`, { key })).statusCode).toBe(
        200,
      );
    },
  );

  test('no parameter of prompts shows another workspace’s rows', { tags: ['once'] }, async () => {
    const { api, store } = await tenant();
    const { key } = await newTenant(store);
    for (const query of ['?cursor=start', `?prompt_id=${idOf(1)}`, '?search=CRM', '?active=true'])
      expect(await follow(api, key, query)).toEqual([]);
  });
});

type Api = Awaited<ReturnType<typeof startApi>>;

/** The ids of all pages. */
async function follow(api: Api, key: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = query; next !== undefined;) {
    const page = await call(api, `${path}${next}`, { key });
    expect(page.statusCode, page.body).toBe(200);
    ids.push(...idsOf(page));
    next = /prompts(\?[^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1];
  }
  return ids;
}

function idsOf(page: { json(): unknown }): string[] {
  return body.parse(page.json()).prompts.map(({ id }) => id);
}
