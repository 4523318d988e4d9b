import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { writeStances } from '../../../../test/answers/stances.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { filled } from '../../../../test/answers/reporting.ts';
import { aHit, writeRows } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { publishPeriod } from '../../../publishing/publish-report.ts';
import type { Store } from '../../../storage/store.ts';
import { newId } from '../../../values/uuid.ts';
import { isShareable, shareablePages } from '../../parts/shareable.ts';

/** Makes a report link with the form, and returns its path. */
async function share(admin: Visitor, slug: string, fields: Readonly<Record<string, string>>) {
  const links = `/w/${slug}/settings/links`;
  const form = hiddenField(await admin.get(links), 'form');
  const { body } = await admin.post(links, { form, name: 'x', view: '', days: '30', ...fields });
  return /\/s\/[\w-]{43}/.exec(body)?.[0] ?? '';
}

/** The view of a page, or a published report of November. */
async function viewOf(store: Store, workspaceId: string, page: string, view: string) {
  if (page !== 'reports') return view;
  const id = newId(() => now);
  const query = { id, from: '2026-11-01', to: '2026-11-20', publishedBy: 'the command line' };
  await publishPeriod(store, workspaceId, query, { userId: null, clock: () => now });
  return `id=${id}`;
}

/** Judges answers that cite the brand, as the judge and a person say. */
async function judgeSome(store: Store, workspaceId: string) {
  const runs = await store.reader
    .selectFrom('runs')
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id')
        .on('detections.cited', '=', true)
        .on('detections.subject_type', '=', 'brand'),
    )
    .innerJoin('subjects', (join) =>
      join
        .on('subjects.workspace_id', '=', workspaceId)
        .onRef('subjects.id', '=', 'detections.subject_id'),
    )
    .select(['run_at', 'name as subject'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('branded', '=', false)
    .orderBy('run_at', 'desc')
    .limit(40)
    .execute();
  const words = { quote: 'PLANTED quote', purpose: 'PLANTED purpose' };
  await writeStances(
    store,
    workspaceId,
    runs.map((run, index) => {
      const stance = index === 0 ? 'recommended_for' : 'advised_against';
      return { ...run, stance, label: stance, ...words };
    }),
  );
}

function shareablePathOf(page: string): string {
  return isShareable(page) ? shareablePages[page].path : '';
}

function hitOf(path: string) {
  const evidence = '{"reason":"proxy_address","list":"proxy/cloudflare-v4"}';
  const at = { host: 'www.acme.com', hit_at: '2026-11-18T12:34:56.000Z', status: 403 };
  return aHit({ ...at, evidence, path, verification: 'unverified' });
}

eachStore('pages of report links', (open) => {
  test('every page that can be shared is drawn for strangers without a way into the workspace', async () => {
    const { store, workspaceId, slug, run } = await filled(open);
    await judgeSome(store, workspaceId);
    await run('actions derive');
    const clock = () => now;
    const web = await startWeb(store, { clock });
    const admin = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin', clock }));
    for (const page of Object.keys(shareablePages)) {
      const view = await viewOf(store, workspaceId, page, 'weeks=12');
      const link = await share(admin, slug, { page, view });
      const shared = await new Visitor(web).get(link);
      expect([page, shared.statusCode]).toEqual([page, 200]);
      expect(shared.body, page).toMatch(/class="figure"|<table|class="rows"/);
      expect(shared.body, page).not.toMatch(/(?:href|action)="\/w\/|<nav|<form|<input|<button/);
      expect(shared.body, page).not.toContain('Names that nobody tracks');
      expect(shared.body.split('<a ').length).toBe(shared.body.split('</a').length);
      expect((await new Visitor(web).get(`${link}/csv`)).headers['content-type']).toContain('csv');
    }
  });

  test('a report link shows nothing that is only for members, such as commands', async () => {
    const { store } = await open();
    const web = await startWeb(store);
    const [empty, behindProxy] = [await newTenant(store), await newTenant(store)];
    await writeRows(store, behindProxy.workspaceId, { hits: [hitOf('/a'), hitOf('/b')] });
    for (const { workspaceId, slug } of [empty, behindProxy]) {
      const admin = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin' }));
      for (const page of Object.keys(shareablePages)) {
        const usual = await viewOf(store, workspaceId, page, '');
        for (const view of page === 'crawlers' ? ['', 'by=robots'] : [usual]) {
          const link = await share(admin, slug, { page, view });
          const shared = await new Visitor(web).get(link);
          expect([page, shared.statusCode]).toEqual([page, 200]);
          expect(shared.body, page).not.toMatch(
            /gaps\/find|start\/prompts|<code>|<pre|--workspace|Settings|API key|proxy/,
          );
          expect((await admin.get(`/w/${slug}/${shareablePathOf(page)}?${view}`)).body).toMatch(
            /gaps\/find|start\/prompts|<code>|<pre|API key|prompts\/add|untracked|never-cited|stances\/judge/,
          );
        }
      }
    }
  });

  test('pages of report links show no title that an answer gives a source, on the page or in the file, unless the box was ticked', async () => {
    const { store } = await open({ clock: () => now });
    const workspaceId = await aWorkspace(store);
    const { slug } = await store.reader
      .selectFrom('workspaces')
      .select('slug')
      .executeTakeFirstOrThrow();
    const sources = [{ url: 'https://news.example.com/a', title: 'A telltale title' }];
    await importRows(store, workspaceId, [
      {
        prompt: 'Which CRM?',
        engine: 'chatgpt',
        run_at: '2026-11-19T08:00:00Z',
        answer: 'Globex.',
        sources,
      },
    ]);
    const clock = () => now;
    const web = await startWeb(store, { clock });
    const admin = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin', clock }));
    for (const texts of ['', 'on']) {
      const link = await share(admin, slug, { page: 'sources', view: 'by=page', texts });
      for (const end of ['', '/csv']) {
        const { body } = await new Visitor(web).get(link + end);
        expect(body).toContain('news.example.com/a');
        expect([texts, end, body.includes('telltale')]).toEqual([texts, end, texts === 'on']);
      }
    }
  });

  test('pages of report links show no sentence of an answer, on any page and in any file, unless the box was ticked', async () => {
    const { store } = await open({ clock: () => now });
    const workspaceId = await aWorkspace(store);
    const { slug } = await store.reader
      .selectFrom('workspaces')
      .select('slug')
      .executeTakeFirstOrThrow();
    await importRows(
      store,
      workspaceId,
      Array.from({ length: 10 }, (_, index) => ({
        prompt: `Which CRM ${index}?`,
        engine: 'chatgpt',
        run_at: new Date(now - index * 3_600_000).toISOString(),
        answer: `Globex is a telltale choice, number ${index}.`,
      })),
    );
    const words = { subject: 'Globex', purpose: 'telltale uses', quote: 'a telltale choice' };
    await writeStances(
      store,
      workspaceId,
      Array.from({ length: 10 }, (_, index) => {
        const stance = index === 0 ? 'advised_against' : 'recommended_for';
        const at = new Date(now - index * 3_600_000).toISOString();
        return { ...words, run_at: at, stance, label: stance };
      }),
    );
    const clock = () => now;
    const web = await startWeb(store, { clock });
    const admin = new Visitor(web, await newPerson(store, { workspaceId, role: 'admin', clock }));
    for (const page of Object.keys(shareablePages)) {
      const link = await share(admin, slug, {
        page,
        view: await viewOf(store, workspaceId, page, ''),
      });
      for (const end of ['', '/csv']) {
        const shared = await new Visitor(web).get(link + end);
        expect([page, end, shared.statusCode, shared.body.includes('telltale')]).toEqual([
          page,
          end,
          200,
          false,
        ]);
      }
    }
  });
});
