// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { answered, noon, startCollecting } from '../../test/engines/collecting.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { plainPicture } from '../../test/browsers/png.ts';
import { eachDatabase } from '../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../test/browsers/web.ts';
import { setLogo } from '../people/logos.ts';
import { openStore } from '../storage/open/open-store.ts';
import { shows } from './pages/crawlers/crawler-table.ts';
import { createReportReader } from './reader/report-reader.ts';
import { routes, shortAddressRoutes } from './routes.ts';

const clock = () => noon;
const shortAddresses = new Set(shortAddressRoutes.map(({ path }) => path));

eachDatabase({ title: 'every page of a workspace', onBoth: true }, (create) => {
  test('every page of a workspace opens by the real thread of reports, is not sent twice if nothing changed, and gives its tables as CSV', async () => {
    const url = await create();
    const { visitor, parts } = await place(url);
    const pages = routes.filter(
      ({ method, path }) =>
        method === 'GET' && path.startsWith('/w/:slug/') && !shortAddresses.has(path),
    );
    expect(pages.length).toBeGreaterThan(20);
    const seen: unknown[] = [];
    for (const { path, dependsOn } of pages) {
      const target = path.replaceAll(/:(\w+)/g, (_, name: string) => {
        return encodeURIComponent(parts(path)[name] ?? name);
      });
      const response = await visitor.get(target);
      const { etag: tag = '' } = response.headers;
      const again =
        tag === '' ? 304 : (await visitor.get(target, { 'if-none-match': tag })).statusCode;
      seen.push([path, response.statusCode, dependsOn === undefined || tag !== '', again]);
    }
    expect(seen).toEqual(pages.map(({ path }) => [path, 200, true, 304]));
    for (const list of lists) {
      const file = await visitor.get(`/w/acme/${list}format=csv`);
      expect([list, file.headers['content-type']]).toEqual([list, 'text/csv; charset=utf-8']);
    }
  });
});

/** Pages that show one of several tables, and the names of those tables. */
const lists = [
  '?',
  'prompts?',
  'answers?',
  'competitors?',
  'sources?',
  'sources?by=page&',
  'searches?',
  'stances?',
  'gaps?',
  'topics?',
  'apps-and-apis?',
  ...shows.map((by) => `crawlers?by=${by}&`),
];

const gap = {
  recommendation: 'Get named.',
  priority: 'high',
  status: 'open',
  created_at: '2026-11-19T00:00:00Z',
};

/** A workspace with data for each page. */
async function place(url: string) {
  const { run } = await startCollecting(url, { prompts: 6 }, answered);
  await run('subject add Globex --workspace acme');
  await run('collect run --workspace acme --now');
  await run('import actions - --workspace acme', { stdin: JSON.stringify(gap) });
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const reports = createReportReader({ store, database: url, prices: [], clock });
  onTestFinished(() => reports.stop());
  const { reader } = store;
  const { id: workspaceId } = await reader
    .selectFrom('workspaces')
    .select('id')
    .executeTakeFirstOrThrow();
  const idIn = async (table: 'runs' | 'prompts' | 'actions') =>
    (await reader.selectFrom(table).select('id').executeTakeFirst())?.id;
  const subject = await reader
    .selectFrom('subjects')
    .select('id')
    .where('name', '=', 'Globex')
    .executeTakeFirst();
  const [answer, prompt, action] = [
    await idIn('runs'),
    await idIn('prompts'),
    await idIn('actions'),
  ];
  const author = { userId: null, clock };
  await setLogo(store.access, { workspaceId, png: plainPicture }, author);
  const web = await startWeb(store, { clock, reports });
  return {
    visitor: new Visitor(web, await newPerson(store, { workspaceId, clock, role: 'admin' })),
    parts: (path: string): Readonly<Record<string, string | undefined>> => ({
      slug: 'acme',
      run: answer,
      prompt,
      subject: subject?.id,
      id: path.includes('gaps') ? action : subject?.id,
      site: 'acme.example',
      bot: 'GPTBot',
      file: 'prompts.csv',
    }),
  };
}
