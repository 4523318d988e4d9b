import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectAddress } from '../../../../../mcp/test/connect.ts';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { call, newTenant, startApi } from '../../../../test/servers/api.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { createKey } from '../../../access/keys.ts';
import { redetect } from '../../../answers/redetect/redetect.ts';
import { removeAnswers } from '../../../answers/remove/remove-answers.ts';
import { pruneAddresses } from '../../../crawlers/hits/prune-addresses.ts';
import { revertImport } from '../../../imports/revert-import.ts';
import { listEvents } from '../../../people/events.ts';
import { parsePublished } from '../../../reports/published/compose.ts';
import { publishMonths } from '../../../publishing/publish-months.ts';
import { changePromptTags, giveTag } from '../../../storage/prompt-tags.ts';
import { writeWorkspace } from '../../../storage/write.ts';
import { newId } from '../../../values/uuid.ts';
import { removeSubject, setSubject } from '../../../workspaces/write-subject.ts';

const clock = () => now;
const october = { from: '2026-10-01', to: '2026-10-31' };

/** Answers of October: `count` runs of a prompt a day apart, of which each second cites the brand. */
function answersOf(prompt: string, count: number, engine = 'chatgpt') {
  return Array.from({ length: count }, (_, index) => ({
    prompt,
    engine,
    run_at: new Date(Date.parse('2026-10-01T06:00:00Z') + index * 86_400_000).toISOString(),
    answer: index % 2 === 0 ? 'Acme and Globex.' : 'Globex.',
  }));
}

/** A workspace with pages, API and tools, and two imports of October. */
async function opened(open: Open) {
  const { store } = await open({ clock });
  const workspaceId = await aWorkspace(store);
  const { slug } = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  await importRows(store, workspaceId, answersOf('Which CRM?', 20));
  await importRows(store, workspaceId, [
    ...answersOf('Which ERP?', 10, 'perplexity_api'),
    ...answersOf('Which tool is like Hooli?', 6),
  ]);
  const web = await startWeb(store, { clock });
  const as = async (role: 'viewer' | 'editor' | 'admin') =>
    new Visitor(web, await newPerson(store, { workspaceId, role, clock }));
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  const api = await startApi(store, { clock, quota: 0 });
  const url = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const host = await connectAddress({ url, apiKey: key });
  onTestFinished(() => host.close());
  const list = async (query = '') => (await call(api, `/api/v1/reports${query}`, { key })).json();
  return { store, workspaceId, slug, web, as, api, key, host, list };
}

type Place = Awaited<ReturnType<typeof opened>>;

/** Publishes October with the button of the overview, and returns the report's id. */
async function publish({ slug }: Place, person: Visitor): Promise<string> {
  const overview = await person.get(`/w/${slug}/?from=${october.from}&to=${october.to}`);
  expect(overview.body).toContain('>Publish</button>');
  const form = hiddenField(overview, 'form');
  const { headers } = await person.post(`/w/${slug}/reports`, { form, ...october, tag: '' });
  return /id=([0-9a-f-]{36})$/.exec(String(headers.location))?.[1] ?? '';
}

/** The words of a page. */
function textOf(body: string): string {
  return body.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
}

/** What each door shows of a published report. */
async function shown({ slug, api, key, host, list }: Place, person: Visitor, id: string) {
  const page = await person.get(`/w/${slug}/reports?id=${id}`);
  const csv = await person.get(`/w/${slug}/reports?id=${id}&format=csv`);
  const { body } = await call(api, `/api/v1/reports?id=${id}`, { key });
  const { reports } = await list();
  const ofTool = await host.call('get_reports', {});
  const whole = await host.call('get_reports', { id });
  return {
    hashes: {
      page: /SHA-256 of the stored figures: ([0-9a-f]{64})/.exec(textOf(page.body))?.[1],
      csv: csv.body.trim().split(',').at(-1),
      endpoint: reports[0].sha256,
      tool: ofTool.rows[0]?.['sha256'],
      body: hash('sha256', body),
    },
    figures: page.body.replace(/<section id="recount">.*?<\/section>/s, ''),
    csv: csv.body,
    body,
    whole: JSON.stringify(whole.rows),
  };
}

eachStore({ title: 'published reports', onBoth: true }, (open) => {
  test('a published report has the same bytes and hash on its page, in its file, in the API and in the tool after all data behind it has changed', async () => {
    const place = await opened(open);
    const { store, workspaceId, slug, list, host } = place;
    const [editor, admin] = [await place.as('editor'), await place.as('admin')];
    const id = await publish(place, editor);
    const before = await shown(place, admin, id);
    expect(new Set(Object.values(before.hashes)).size).toBe(1);
    expect(before.hashes.body).toMatch(/^[0-9a-f]{64}$/);
    expect(before.figures).toMatch(
      /Published on 20 November 2026 by Ada Example; figures as of then/,
    );
    expect(JSON.parse(before.body).reports[0].surfaces).toEqual([
      { surface: 'app', runs: 26, cited: 13, rate: 0.5 },
      { surface: 'api', runs: 10, cited: 5, rate: 0.5 },
    ]);
    expect((await list(`?recount=${id}`)).reports[0].recount).toMatchObject({
      sentences: [
        'A recount finds the same: 50 % of 26 answers in apps, 50 % of 10 answers in APIs.',
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

  test('a report that an older version published is drawn, exported, read and counted again as it was', async () => {
    const place = await opened(open);
    const { store, workspaceId, list } = place;
    const body = readFileSync(join(import.meta.dirname, 'published-by-0.1.0.txt'), 'utf8');
    const { id, published_at } = parsePublished(body);
    const sha256 = '52564e0ad19448a7c933d49a0894417b42a5de01fb30e7395f56f046998fde05';
    await store.writer
      .insertInto('published_reports')
      .values({ workspace_id: workspaceId, id, published_at, published_by: null, sha256, body })
      .execute();
    const { hashes, figures, csv, whole } = await shown(place, await place.as('admin'), id);
    expect(new Set(Object.values(hashes))).toEqual(new Set([sha256]));
    expect(figures).toContain('Report of October 2026');
    expect(figures).toContain('28 answers');
    expect(csv).toContain('Globex,');
    expect(whole).toContain('Which CRM suits a small agency?');
    expect((await list(`?recount=${id}`)).reports[0].recount.runs_change).toBe(36 - 56);
  });

  test('the runs of the reasons add up to the difference, with tags, a brand’s new alias and collected answers', async () => {
    const place = await opened(open);
    const { store, workspaceId, list } = place;
    const tagged = (prompts: Readonly<Record<string, boolean>>) =>
      writeWorkspace(store, workspaceId, async (transaction) => {
        const rows = await transaction
          .selectFrom('prompts')
          .select(['id', 'text'])
          .where('workspace_id', '=', workspaceId)
          .execute();
        await changePromptTags(transaction, workspaceId, (tags) => {
          for (const { id, text } of rows) {
            if (prompts[text] === true) giveTag(tags, { id, tag: 'CRM', isTopic: false });
            else tags.delete(id);
          }
        });
        return { hasChanged: true };
      });
    await tagged({ 'Which CRM?': true, 'Which tool is like Hooli?': true });
    const editor = await place.as('editor');
    const form = newId(clock);
    await editor.post(`/w/${place.slug}/reports`, { form, ...october, tag: 'CRM' });
    const [{ id, surfaces, tag }] = (await list()).reports;
    expect([surfaces[0].runs, tag]).toEqual([26, 'CRM']);

    await tagged({ 'Which ERP?': true, 'Which tool is like Hooli?': true, 'Which CRM?': true });
    await setSubject(store, workspaceId, 'Acme', {
      aliases: [{ alias: 'Hooli', match: 'default' }],
    });
    await redetect(store, { workspaceId });
    const late = { prompt: 'Which CRM?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...late, run_at: '2026-10-30T06:00:00Z' }]);
    // A collected answer is of no import.
    await store.writer
      .updateTable('runs')
      .set({ import_id: null })
      .where('import_id', '=', 3)
      .where('workspace_id', '=', workspaceId)
      .execute();
    const [{ recount }] = (await list(`?recount=${id}`)).reports;
    expect(recount.reasons).toEqual([
      { reason: 'collected', import_id: null, file: null, runs: 1 },
      { reason: 'uncounted', import_id: 2, file: 'rows', runs: -6 },
      { reason: 'counted', import_id: 2, file: 'rows', runs: 10 },
    ]);
    const sum = (rows: ReadonlyArray<{ runs: number }>) =>
      rows.reduce((total, { runs }) => total + runs, 0);
    expect(sum(recount.surfaces) - sum(surfaces)).toBe(recount.runs_change);
    expect(sum(recount.reasons)).toBe(recount.runs_change);
  });

  test('a published report is removed by an admin alone, which the history says, and a report link to it ends', async () => {
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
  });

  test('several servers publish each month once when it is over, and not again once it was removed', async () => {
    const { store, workspaceId, as, slug, list } = await opened(open);
    const admin = await as('admin');
    const at = (moment: string) => () => Date.parse(moment);
    expect(await publishMonths(store, workspaceId, clock)).toBe(0);
    await admin.post(`/w/${slug}/reports/monthly`, { on: 'on' });
    expect(await publishMonths(store, workspaceId, at('2026-11-30T23:59:59Z'))).toBe(0);
    const servers = [1, 2].map(() => publishMonths(store, workspaceId, at('2026-12-01T00:01:00Z')));
    await Promise.all(servers);
    const [only, ...others] = (await list()).reports;
    expect([only.from, only.to, others]).toEqual(['2026-11-01', '2026-11-30', []]);
    await admin.post(`/w/${slug}/reports/unpublish`, { id: only.id });
    expect(await publishMonths(store, workspaceId, at('2026-12-31T00:01:00Z'))).toBe(0);
    // A server that was away publishes what it missed.
    expect(await publishMonths(store, workspaceId, at('2027-02-03T00:01:00Z'))).toBe(2);
    await admin.post(`/w/${slug}/reports/monthly`, { on: '' });
    expect(await publishMonths(store, workspaceId, at('2027-03-03T00:01:00Z'))).toBe(0);
  });
});
