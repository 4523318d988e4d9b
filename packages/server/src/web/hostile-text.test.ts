import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Open } from '../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../test/browsers/web.ts';
import { deriveActions } from '../answers/actions/derive.ts';
import { listActions } from '../storage/queries/list-actions.ts';
import { listSubjects } from '../workspaces/subject.ts';

const clock = () => now;
const turned = '\u202e';
const long = `\uff1d1+1 ${turned}<script>alert(1)</script> ${'x'.repeat(99_000)}`;

eachStore({ title: 'foreign text on pages', onBoth: true }, (open) => {
  test(
    'a prompt of 100,000 characters that turns the direction of reading makes no list long or reversed',
    { tags: ['slow'] },
    async () => {
      const { visitor, store, workspaceId, slug } = await aVisitor(open);
      const subjects = await listSubjects(store.reader, workspaceId);
      const gaps = await listActions(store.reader, workspaceId, {});
      expect(gaps.length).toBeGreaterThan(0);
      const paths = [
        '',
        'prompts',
        'answers',
        'competitors',
        ...subjects.slice(1).map(({ id }) => `competitors/${id}`),
        'gaps',
        ...gaps.map(({ id }) => `gaps/${id}`),
      ];
      const shown: string[] = [];
      for (const path of paths) {
        const { statusCode, body } = await visitor.get(`/w/${slug}/${path}`);
        expect([path, statusCode]).toEqual([path, 200]);
        expect([path, body.length < 200_000, unisolated(body).includes(turned)]).toEqual([
          path,
          true,
          false,
        ]);
        expect(body).not.toContain('<script>');
        if (body.includes('&lt;script&gt;')) shown.push(path.split('/')[0] ?? '');
      }
      expect([...new Set(shown)]).toEqual(['', 'prompts', 'answers', 'competitors', 'gaps']);
    },
  );

  test(
    'a cell that begins with a full-width sign has an apostrophe before it in the file',
    { tags: ['once'] },
    async () => {
      const { visitor, slug } = await aVisitor(open);
      const { body } = await visitor.get(`/w/${slug}/prompts?format=csv`);
      expect(body).toContain("'\uff1d1+1");
      expect(body).not.toMatch(/^"?\uff1d/m);
    },
  );
});

/** A page without the `bdi` elements, which isolate the direction of foreign text. */
function unisolated(page: string): string {
  return page.replaceAll(/<[^>]*\bdata-foreign\b[^>]*>[^<]*/g, '');
}

async function aVisitor(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await aWorkspace(store);
  const { slug } = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const run = (index: number) => ({
    prompt: long,
    engine: 'chatgpt',
    run_at: new Date(now - index * 3_600_000).toISOString(),
    answer: `${turned}Globex.`,
  });
  await importRows(
    store,
    workspaceId,
    Array.from({ length: 12 }, (_, index) => run(index)),
  );
  await deriveActions(store, { workspaceId, windowDays: 28, clock });
  const web = await startWeb(store, { clock });
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, clock }));
  return { store, workspaceId, slug, visitor };
}
