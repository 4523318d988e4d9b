import { expect, test } from 'vitest';
import { now } from '../../../test/answers/answers.ts';
import { newPerson } from '../../../test/browsers/people.ts';
import { filled } from '../../../test/answers/reporting.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Open } from '../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../test/browsers/web.ts';

eachStore('the view of a page', (open) => {
  test('the view of a page covers 4 weeks up to today unless the address says otherwise', async () => {
    const { get } = await aVisitor(open);
    expect(await get('')).toContain('24 October to 20 November 2026, against');
    expect(await get('?weeks=12')).toContain('29 August to 20 November 2026, against');
    expect(await get('?from=2026-11-01&to=2026-11-10')).toContain(
      '1 November to 10 November 2026, against',
    );
  });

  test('the view of a page names a period of one day once', async () => {
    const { get } = await aVisitor(open);
    for (const page of ['', 'answers', 'prompts', 'competitors', 'sources', 'crawlers']) {
      const shown = await get(`${page}?from=2026-11-10&to=2026-11-10`);
      expect([page, />10 November 2026(, UTC|, against 9 November 2026<)?/.test(shown)]).toEqual([
        page,
        true,
      ]);
      expect(shown).not.toContain('10 November to');
      expect(shown).not.toContain('to 9 November');
    }
  });

  test('a page with an unknown parameter names the page in its refusal', async () => {
    const { get } = await aVisitor(open);
    expect(await get('?engin=x')).toContain('not a parameter of this page. Did you mean');
    expect(await get('settings/keys?x=1')).toContain('This page takes no parameters.');
  });

  test('the view of a page is kept by its menus, each of which changes its own part', async () => {
    const { get, slug } = await aVisitor(open);
    const page = await get(
      '?from=2026-11-01&to=2026-11-10&engine=chatgpt&competitor_prompts=exclude',
    );
    expect(page).toContain(
      `href="/w/${slug}/?engine=chatgpt&amp;competitor_prompts=exclude&amp;weeks=12"`,
    );
    expect(page).toContain(
      `href="/w/${slug}/?from=2026-11-01&amp;to=2026-11-10&amp;competitor_prompts=exclude"`,
    );
  });

  test('the view of a page accepts a form in which nothing is chosen', async () => {
    const { status } = await aVisitor(open);
    expect(await status('?weeks=4&engine=&locale=&competitor_prompts=include')).toBe(200);
  });

  test.each([
    'weeks=5',
    'weeks=4&weeks=4',
    'weeks=4&from=2026-11-01',
    'from=2026-11-31',
    'from=2026-11-10&to=2026-11-01',
    'from=2024-01-01&to=2026-01-01',
    'engine=Chat%20GPT',
    'locale=%ff',
    'competitor_prompts=none',
    'format=xml',
    'nothing=1',
    'nothing=',
    '=',
  ])(
    'the view of a page is refused where a parameter is unknown, repeated or malformed: %s',
    async (query) => {
      const { status } = await aVisitor(open);
      expect(await status(`?${query}`)).toBe(400);
    },
  );

  test('a page with an unknown engine or locale shows that nothing matches', async () => {
    const { status } = await aVisitor(open);
    expect(await status('?engine=nobody&locale=fr-FR')).toBe(200);
  });

  test('the view of a page gives its table as a file in which nothing runs', async () => {
    const { store, workspaceId, response } = await aVisitor(open);
    await store.writer
      .updateTable('subjects')
      .set({ name: '=cmd()' })
      .where('workspace_id', '=', workspaceId)
      .where('subject_type', '=', 'brand')
      .execute();
    const file = await response('?format=csv');
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
    const [head = '', brand = ''] = file.body.split('\n');
    expect(head).toContain('subject_id,subject_type,name,');
    expect(brand).toMatch(/,brand,'=cmd\(\),/);
  });
});

async function aVisitor(open: Open) {
  const { store, workspaceId, slug } = await filled(open);
  const web = await startWeb(store, { clock: () => now });
  const person = await newPerson(store, { workspaceId, clock: () => now });
  const visitor = new Visitor(web, person);
  const response = (query: string) => visitor.get(`/w/${slug}/${query}`);
  const status = async (query: string) => (await response(query)).statusCode;
  const get = async (query: string) => (await response(query)).body;
  return { store, workspaceId, slug, response, status, get };
}
