import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importRows, now } from '../../../../test/answers/answers.ts';
import { Visitor, hiddenField } from '../../../../test/browsers/web.ts';
import { call, newTenant } from '../../../../test/servers/api.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { redetect } from '../../../answers/redetect/redetect.ts';
import { removeAnswers } from '../../../answers/remove/remove-answers.ts';
import { pruneAddresses } from '../../../crawlers/hits/prune-addresses.ts';
import { revertImport } from '../../../imports/revert-import.ts';
import { listEvents } from '../../../people/events.ts';
import { parsePublished } from '../../../reports/published/compose.ts';
import { findPublishedReport } from '../../../storage/published-reports.ts';
import { newId } from '../../../values/uuid.ts';
import { removeSubject, setSubject } from '../../../workspaces/write-subject.ts';
import {
  answersOf,
  clock,
  october,
  opened,
  publish,
  shown,
  textOf,
} from '../../../../test/browsers/published-reports.ts';

eachStore({ title: 'published reports', onBoth: true }, (open) => {
  test(
    'a form that is sent again after more answers came does not change its published report',
    { tags: ['once'] },
    async () => {
      const place = await opened(open);
      const { store, workspaceId, slug } = place;
      const editor = await place.as('editor');
      const id = await publish(place, editor);
      const stored = () => findPublishedReport(store.reader, workspaceId, id);
      const before = await stored();
      await importRows(store, workspaceId, answersOf('Which shop?', 5));
      const again = await editor.post(`/w/${slug}/reports`, { form: id, ...october, tag: '' });
      expect(again.headers.location).toBe(`/w/${slug}/reports?id=${id}`);
      expect(await stored()).toEqual(before);
    },
  );

  test('a published report has the same bytes and hash on its page, in its file, in the API and in the tool after all data behind it has changed', async () => {
    const place = await opened(open);
    const { store, workspaceId, slug, list, host } = place;
    const [editor, admin] = [await place.as('editor'), await place.as('admin')];
    const id = await publish(place, editor);
    const before = await shown(place, admin, id);
    expect(new Set(Object.values(before.hashes)).size).toBe(1);
    expect(before.hashes.body).toMatch(/^[0-9a-f]{64}$/);
    expect(textOf(before.figures)).toMatch(
      /Published on 20 November 2026 by Ada Example; figures as of then/,
    );
    expect(JSON.parse(before.body).reports[0].surfaces).toEqual([
      { surface: 'app', runs: 26, cited: 13, rate: 0.5 },
      { surface: 'api', runs: 10, cited: 5, rate: 0.5 },
    ]);
    expect((await list(`?recount=${id}`)).reports[0].recount).toMatchObject({
      sentences: [
        'A recount finds the same for the brand: 50 % of 26 answers in apps, 50 % of 10 answers in APIs.',
        'The figures of each competitor, and of the brand on each engine, are the same.',
      ],
      runs_change: 0,
      reasons: [],
      rejudged: 0,
    });

    await importRows(store, workspaceId, answersOf('Which shop?', 5));
    await removeAnswers(store, {
      workspaceId,
      choice: { importId: 1, from: '2026-10-01', to: '2026-10-03' },
      clock,
    });
    await revertImport(store, { workspaceId, id: 2, clock });
    await setSubject(store, workspaceId, 'Globex', { name: 'Globex AG' });
    await removeSubject(store, workspaceId, 'Initech', { clock });
    await redetect(store, { workspaceId });
    await pruneAddresses(store, workspaceId, { nowMs: now });

    const after = await shown(place, admin, id);
    expect(after).toEqual(before);
    const [{ recount }] = (await list(`?recount=${id}`)).reports;
    expect(recount.surfaces).toEqual([{ surface: 'app', runs: 22, cited: 11, rate: 0.5 }]);
    expect(recount.reasons).toEqual([
      { reason: 'removed', import_id: 1, file: 'rows', runs: -3 },
      { reason: 'reverted', import_id: 2, file: 'rows', runs: -16 },
      { reason: 'imported', import_id: 3, file: 'rows', runs: 5 },
    ]);
    expect(recount.runs_change).toBe(22 - 36);
    expect(recount.rejudged).toBe(17);
    expect(recount.sentences.join('\n')).toContain('Globex is called Globex AG now.');
    expect(recount.sentences.join('\n')).toContain('Initech was archived.');
    const page = await admin.get(`/w/${slug}/reports?id=${id}`);
    for (const sentence of recount.sentences) expect(textOf(page.body)).toContain(sentence);
    // Two clicks: the menu, and the month.
    const overview = await admin.get(`/w/${slug}/`);
    expect(overview.body).toContain(`href="/w/${slug}/reports"`);
    const all = await admin.get(`/w/${slug}/reports`);
    expect(all.body).toContain(`<a href="/w/${slug}/reports?id=${id}">October 2026</a>`);
    const told = await host.call('get_reports', { recount: id });
    expect(JSON.stringify(told.rows)).toContain(recount.sentences[0]);
  });

  test(
    'a report that an older version published is drawn, exported, read and counted again as it was',
    { tags: ['once'] },
    async () => {
      const place = await opened(open);
      const { store, workspaceId, list } = place;
      const body = readFileSync(join(import.meta.dirname, 'published-by-0.1.0.txt'), 'utf8');
      const { id, published_at } = parsePublished(body);
      const sha256 = '52564e0ad19448a7c933d49a0894417b42a5de01fb30e7395f56f046998fde05';
      await store.writer
        .insertInto('published_reports')
        .values({ workspace_id: workspaceId, id, published_at, sha256, body })
        .execute();
      const { hashes, figures, csv, whole } = await shown(place, await place.as('admin'), id);
      expect(new Set(Object.values(hashes))).toEqual(new Set([sha256]));
      expect(figures).toContain('Report of October 2026');
      expect(figures).toContain('28 answers');
      expect(csv).toContain('Globex,');
      expect(whole).toContain('Which CRM suits a small agency?');
      expect((await list(`?recount=${id}`)).reports[0].recount.runs_change).toBe(36 - 56);
    },
  );

  test(
    'a published report is removed by an admin alone, which the history says, and a report link to it ends',
    { tags: ['once'] },
    async () => {
      const place = await opened(open);
      const { store, workspaceId, slug, web, list, api } = place;
      const [viewer, editor, admin] = [
        await place.as('viewer'),
        await place.as('editor'),
        await place.as('admin'),
      ];
      const reports = `/w/${slug}/reports`;
      const form = newId(clock);
      expect((await viewer.post(reports, { form, ...october, tag: '' })).statusCode).toBe(403);
      const id = await publish(place, editor);
      const links = `/w/${slug}/settings/links`;
      const view = `id=${id}`;
      const linkForm = hiddenField(await admin.get(`${links}?page=reports&view=${view}`), 'form');
      const made = { form: linkForm, name: 'Board', page: 'reports', view, days: '30' };
      const link = /\/s\/[\w-]{43}/.exec((await admin.post(links, made)).body)?.[0] ?? '';
      const stranger = new Visitor(web);
      const { sha256 } = (await list()).reports[0];
      expect(textOf((await stranger.get(link)).body)).toContain(sha256);
      expect((await stranger.get(link)).body).not.toContain('recount');
      expect((await stranger.get(`${link}/csv`)).body).toContain(sha256);

      const other = await newTenant(store);
      const foreign = await call(api, `/api/v1/reports?id=${id}`, { key: other.key });
      expect(foreign.body).toBe('{"reports":[]}');
      expect((await call(api, `/api/v1/reports?recount=${id}`, { key: other.key })).body).toBe(
        '{"reports":[]}',
      );

      expect((await editor.post(`${reports}/unpublish`, { id })).statusCode).toBe(403);
      expect((await admin.post(`${reports}/unpublish`, { id })).statusCode).toBe(303);
      expect((await admin.post(`${reports}/unpublish`, { id })).statusCode).toBe(404);
      expect((await list()).reports).toEqual([]);
      expect((await stranger.get(link)).statusCode).toBe(404);
      const events = await listEvents(store.access, { workspaceId, before: undefined, limit: 9 });
      expect(events.map(({ kind }) => kind).toSorted()).toEqual(
        expect.arrayContaining(['report_published', 'report_unpublished']),
      );
    },
  );
});
