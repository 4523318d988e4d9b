import { expect, test } from 'vitest';
import { now } from '../../../test/answers/answers.ts';
import { newPerson } from '../../../test/browsers/people.ts';
import { filled } from '../../../test/answers/reporting.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Open } from '../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../test/browsers/web.ts';
import { newRevision } from '../../storage/write.ts';
import { html } from '../markup/html.ts';
import type { Route } from '../request/page-context.ts';

eachStore('the tag of a page', (open) => {
  test('the tag of a page gives 304 without reading the page again', async () => {
    const { visitor, path, shown } = await aPage(open);
    const first = await visitor.get(path);
    const again = await visitor.get(path, { 'if-none-match': String(first.headers['etag']) });
    expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 304, '']);
    expect(again.headers).toMatchObject({
      etag: first.headers['etag'],
      vary: first.headers['vary'],
      'cache-control': 'private, no-cache',
    });
    expect(shown()).toBe(1);
  });

  test('the tag of a page changes with the data, the day, the address, the person, the role and what else the page depends on', async () => {
    const { store, visitor, other, path, change } = await aPage(open);
    const tagOf = async (who: Visitor, at: string) => (await who.get(at)).headers['etag'];
    const tags = [await tagOf(visitor, path), await tagOf(other, path)];
    tags.push(await tagOf(visitor, `${path}?x`));
    change({ extra: 'b' });
    tags.push(await tagOf(visitor, path));
    change({ now: now + 24 * 3_600_000 });
    tags.push(await tagOf(visitor, path));
    await store.access.updateTable('users').set({ theme: 'dark' }).execute();
    tags.push(await tagOf(visitor, path));
    await store.writer.updateTable('revisions').set({ revision: newRevision() }).execute();
    tags.push(await tagOf(visitor, path));
    await store.access.updateTable('members').set({ role: 'editor' }).execute();
    tags.push(await tagOf(visitor, path));
    expect(tags.every((tag) => typeof tag === 'string')).toBe(true);
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('the tag of another person or a removed member opens no page', async () => {
    const { store, visitor, path } = await aPage(open);
    const { etag } = (await visitor.get(path)).headers;
    await store.access.deleteFrom('members').execute();
    const refused = await visitor.get(path, { 'if-none-match': String(etag) });
    expect(refused.statusCode).toBe(404);
    expect(refused.headers['etag']).toBeUndefined();
  });
});

async function aPage(open: Open) {
  const { store, workspaceId, slug } = await filled(open);
  let state = { extra: 'a', now };
  let count = 0;
  const route: Route = {
    method: 'GET',
    path: '/w/:slug/tagged',
    role: 'viewer',
    dependsOn: () => state.extra,
    run: () => {
      count += 1;
      return { page: html`<p>${count}</p>` };
    },
  };
  const web = await startWeb(store, { clock: () => state.now }, [route]);
  const [visitor, other] = [
    new Visitor(web, await newPerson(store, { workspaceId, clock: () => now })),
    new Visitor(web, await newPerson(store, { workspaceId, clock: () => now })),
  ];
  const change = (to: Partial<typeof state>): void => {
    state = { ...state, ...to };
  };
  return { store, visitor, other, path: `/w/${slug}/tagged`, change, shown: () => count };
}
