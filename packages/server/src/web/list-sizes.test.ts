// @module-tag slow
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { nowMs } from '../../test/servers/api.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { fillLarge, listPaths } from '../../test/browsers/size-states.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../test/browsers/web.ts';

const clock = () => nowMs;
/** The most compressed bytes of a page. */
const bytesMax = 30_000;
/** The most rows of a page's tables and cards, with their headers. */
const rowsMax = 150;

eachStore('the lists of a workspace', (open) => {
  test('no list is longer or heavier than its budget, however many rows there are, and its file has them all', async () => {
    const { get } = await aVisitor(open);
    const files: Record<string, number> = {};
    for (const [name, path] of Object.entries(listPaths)) {
      const { statusCode, body } = await get(path);
      expect([name, statusCode]).toEqual([name, 200]);
      const rows = body.match(/<tr>|<li data-keys/g)?.length ?? 0;
      expect([name, Math.max(rows, rowsMax), gzipSync(body).length <= bytesMax]).toEqual([
        name,
        rowsMax,
        true,
      ]);
      const file = await get(`${path}${path.includes('?') ? '&' : '?'}format=csv`);
      files[name] = file.body.trim().split('\n').length - 1;
    }
    expect(files).toMatchObject({ prompts: 500, answers: 500, competitors: 99, gaps: 150 });
    expect(files).toMatchObject({ sources: 500, crawlers: 65, 'crawlers-bots': 13 });
  });
});

async function aVisitor(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await fillLarge(store, clock);
  const web = await startWeb(store, { clock });
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, role: 'editor', clock }));
  return { get: (path: string) => visitor.get(`/w/large/${path}`) };
}
