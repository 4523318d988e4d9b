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

  test('the view of a page is refused where a parameter is unknown, repeated or malformed', async () => {
    const { status } = await aVisitor(open);
    const queries = ['weeks=5', 'weeks=4&weeks=4', 'from=2026-11-31', 'locale=%ff', 'nothing=1'];
    for (const query of queries) expect(await status(`?${query}`), query).toBe(400);
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
