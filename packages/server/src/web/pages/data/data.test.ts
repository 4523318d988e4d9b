// @module-tag slow
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { aPrompt, idOf, writeRows } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import {
  Visitor,
  hiddenField,
  multipart,
  openUploads,
  startWeb,
} from '../../../../test/browsers/web.ts';
import { readCrawlerSettings } from '../../../crawlers/settings.ts';
import { listImports } from '../../../imports/list-imports.ts';
import { listJobs } from '../../../jobs/jobs.ts';
import type { Store } from '../../../storage/store.ts';
import { writeWorkspace } from '../../../storage/write.ts';
import { newId } from '../../../values/uuid.ts';

const answer = {
  prompt: 'Which CRM?',
  engine: 'chatgpt',
  run_at: '2026-11-19T12:00:00Z',
  answer: 'Take Globex.',
};
const chosen = { rows: 'answers', format: '' };

eachStore('uploads', (open) => {
  test('a file is imported as a job, once, however often the form is sent', async () => {
    const { store, visitor, person, path, workspaceId } = await anEditor(await open());
    const form = hiddenField(await visitor.get(path), 'form');
    const content = gzipSync(`${JSON.stringify(answer)}\n`);
    const file = { name: 'C:\\stuff\\<b>\0\u202e.ndjson.gz', content };
    const send = () => visitor.upload(`${path}/import`, { form, ...chosen }, file);
    const sent = await Promise.all([send(), send()]);
    expect(sent.map(({ headers }) => headers.location)).toEqual([path, path]);
    await reached(store, { workspaceId, id: form });
    expect((await send()).headers.location).toBe(path);
    const [record] = await listImports(store.reader, workspaceId);
    expect(record).toMatchObject({ file: '<b>  .ndjson.gz', imported_by: person.id });
    const { body } = await visitor.get(path);
    expect(body).toContain('Import of &lt;b&gt;  .ndjson.gz');
    expect(body).toContain('1 row: 1 new, 0 changed, 0 unchanged.');
    expect(await listJobs(store.access, { workspaceId, kind: 'import', limit: 9 })).toHaveLength(1);
    const history = await visitor.get(path.replace(/data$/, 'history'));
    expect(history.body.match(/imported a file/g)).toHaveLength(1);
  });

  test('the other rows are imported too, and faults have their file, line and field', async () => {
    const { store, visitor, path, workspaceId } = await anEditor(await open());
    const send = async (rows: string, content: string) => {
      const form = hiddenField(await visitor.get(path), 'form');
      const fields = { form, rows, format: 'csv' };
      await visitor.upload(`${path}/import`, fields, { name: 'a.txt', content });
      await reached(store, { workspaceId, id: form });
      return (await visitor.get(path)).body;
    };
    const long = 'x '.repeat(1000);
    const rows = Array.from({ length: 60 }, (_, place) => `Which CRM is ${place} ${long}?,en-US\n`);
    // More bytes than a form without a file may have.
    const prompts = `text,locale\n${rows.join('')}`;
    expect(await send('prompts', prompts)).toContain('60 rows: 60 new');
    expect(await send('prompts', prompts)).toContain('0 new, 0 changed, 60 unchanged');
    const wrong = await send('prompts', 'text,locale\nWhich?,english\n');
    expect(wrong).toMatch(/a\.txt:2: field (&quot;|")locale(&quot;|"): expected/);
  });

  test('a form with a fault keeps what was chosen, and its file is not imported', async () => {
    const { store, visitor, path, workspaceId } = await anEditor(await open());
    const form = hiddenField(await visitor.get(path), 'form');
    const send = (fields: Record<string, string>, content = 'x', name = 'a.csv') =>
      visitor.upload(`${path}/import`, { form, ...chosen, ...fields }, { name, content });
    const none = await send({ rows: 'hits' }, '', '');
    expect(none.statusCode).toBe(400);
    expect(none.body).toContain('Choose a file.');
    expect(none.body).toMatch(/value="hits"\s+selected/);
    const large = await send({}, 'x'.repeat(1_000_001));
    expect([large.statusCode, large.body]).toEqual([
      400,
      expect.stringContaining('larger than 1 MB'),
    ]);
    const { payload, type } = multipart({ form }, { name: 'a', content: 'x' });
    const keys = path.replace('data', 'subjects/new');
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    expect((await visitor.post(keys, { payload: String(payload) }, headers)).statusCode).toBe(415);
    expect(await listJobs(store.access, { workspaceId, kind: 'import', limit: 9 })).toEqual([]);
  });

  test('a second import of a workspace is refused while one is under way, and can be sent again', async () => {
    const { store, visitor, path, workspaceId } = await anEditor(await open());
    const held = Promise.withResolvers<{ hasChanged: boolean }>();
    const writing = writeWorkspace(store, workspaceId, () => held.promise);
    const send = async () => {
      const form = hiddenField(await visitor.get(path), 'form');
      const file = { name: 'a.ndjson', content: JSON.stringify(answer) };
      return {
        form,
        response: await visitor.upload(`${path}/import`, { form, ...chosen }, file),
      };
    };
    const first = await send();
    const { response } = await send();
    expect(response.statusCode).toBe(409);
    expect(response.body).toContain('Send it again when that has ended');
    // The form's own address has no page, so neither the redirect nor the script leads to it.
    expect(response.body).toContain(`href="${path}">Look again`);
    held.resolve({ hasChanged: false });
    await writing;
    const done = await reached(store, { workspaceId, id: first.form });
    expect(done).toMatchObject({ state: 'done', outcome: { result: { new: 1 } } });
    expect((await send()).response.statusCode).toBe(303);
  });

  test('an operator removes a workspace by typing its slug; nobody else may', async () => {
    const { store, web, visitor, path } = await anEditor(await open());
    const person = await newPerson(store, { isOperator: true, clock: Date.now });
    const operator = new Visitor(web, person);
    const page = await operator.get(path);
    const form = hiddenField(page, 'form');
    expect(page.body).toContain('Remove the workspace');
    expect((await visitor.get(path)).body).not.toContain('Remove the workspace');
    const slug = path.split('/')[2] ?? '';
    expect((await visitor.post(`${path}/remove`, { form, slug })).statusCode).toBe(403);
    for (const typed of ['x', '']) {
      const { statusCode } = await operator.post(`${path}/remove`, { form, slug: typed });
      expect(statusCode, typed).toBe(400);
    }
    const sent = await operator.post(`${path}/remove`, { form, slug });
    expect(sent.headers.location).toBe('/');
    while ((await operator.get(path)).statusCode !== 404) await sleep(50);
    expect((await visitor.get(path)).statusCode).toBe(404);
  });

  test('a connection that is cut in the middle of a file leaves nothing', async () => {
    const { store, web, visitor, path, workspaceId } = await anEditor(await open());
    const form = hiddenField(await visitor.get(path), 'form');
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = await web.app.listen({ host: '127.0.0.1', port: 0 });
    const content = 'x'.repeat(500_000);
    const { payload, type } = multipart({ form, ...chosen }, { name: 'a.csv', content });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `POST ${path}/import HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\nContent-Length: ${payload.length}\r\n\r\n`,
    );
    socket.write(payload.subarray(0, 300_000));
    await expect.poll(() => openUploads() ?? 1).toBe(1);
    socket.destroy();
    await expect.poll(() => openUploads() ?? 0).toBe(0);
    expect(await listJobs(store.access, { workspaceId, kind: 'import', limit: 9 })).toEqual([]);
  });
});

eachStore('imports on the page', (open) => {
  test('an import is listed and can be reverted as a job, however often the form is sent', async () => {
    const { store, visitor, person, path, workspaceId } = await anEditor(await open());
    const form = hiddenField(await visitor.get(path), 'form');
    const file = { name: 'a.ndjson', content: JSON.stringify(answer) };
    await visitor.upload(`${path}/import`, { form, ...chosen }, file);
    await reached(store, { workspaceId, id: form });
    expect((await visitor.get(path)).body).toContain('Revert import 1 of a.ndjson');
    const id = newId(Date.now);
    const send = () => visitor.post(`${path}/revert`, { form: id, import: '1' });
    expect((await send()).headers.location).toBe(path);
    await reached(store, { workspaceId, id });
    expect((await send()).headers.location).toBe(path);
    const { body } = await visitor.get(path);
    expect(body).toMatch(/Removed 1 prompt, 1 run, \d detections?\./);
    expect(body).toContain('reverted');
    expect(body).not.toContain('Revert import 1');
    const [record] = await listImports(store.reader, workspaceId);
    expect(record).toMatchObject({ reverted_by: person.id });
    const history = await visitor.get(path.replace('data', 'history'));
    expect(history.body).toContain('reverted an import');
  });

  test('a number that is no import of the workspace is not found, and a viewer may revert none', async () => {
    const place = await open();
    const { store, web, visitor, path, workspaceId } = await anEditor(place);
    const fields = { form: newId(Date.now), import: '1' };
    expect((await visitor.post(`${path}/revert`, fields)).statusCode).toBe(404);
    const viewer = await newPerson(store, { workspaceId, role: 'viewer', clock: Date.now });
    const watching = new Visitor(web, viewer);
    expect((await watching.post(`${path}/revert`, fields)).statusCode).toBe(403);
    expect((await watching.get(path)).body).not.toContain('Revert import');
  });
});

eachStore('exports on the page', (open) => {
  test('a file of rows is downloaded whole, and its CSV runs nothing in a spreadsheet', async () => {
    const { store, visitor, path, workspaceId } = await anEditor(await open());
    const prompts = Array.from({ length: 2500 }, (_, place) =>
      aPrompt({ id: idOf(place), text: place === 7 ? '=cmd|calc' : `Question ${place}?` }),
    );
    await writeRows(store, workspaceId, { prompts });
    const page = (await visitor.get(path)).body;
    expect(page).toContain('/settings/data/export/prompts.csv');
    expect(page).toContain('/settings/data/export/answers.csv');
    const { body, headers } = await visitor.get(`${path}/export/prompts.ndjson`);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[a-z0-9-]+\.ndjson"$/);
    const lines = body.trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).text))).toEqual(
      new Set(prompts.map(({ text }) => text)),
    );
    expect(lines).toHaveLength(2500);
    const csv = await visitor.get(`${path}/export/prompts.csv`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.body.trim().split('\n')).toHaveLength(2501);
    expect(csv.body).toContain("'=cmd|calc");
  });

  test('a browser that leaves in the middle ends the export', async () => {
    const { store, web, visitor, path, workspaceId } = await anEditor(await open());
    const text = 'x'.repeat(2000);
    const rows = Array.from({ length: 3000 }, (_, place) => aPrompt({ id: idOf(place), text }));
    await writeRows(store, workspaceId, { prompts: rows });
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = await web.app.listen({ host: '127.0.0.1', port: 0 });
    for (let download = 0; download < 12; download++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(
        `GET ${path}/export/prompts.csv HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
      );
      await once(socket, 'data');
      socket.destroy();
    }
    // Each would hold one of the few long reads that a workspace may have.
    const status = async () => (await visitor.get(`${path}/export/prompts.csv`)).statusCode;
    await expect.poll(status, { interval: 200 }).toBe(200);
  });

  test('another kind, form or parameter is not found or refused', async () => {
    const { visitor, path } = await anEditor(await open());
    for (const file of ['keys.csv', 'prompts.xlsx', 'prompts', 'prompts.csv?day=1']) {
      const { statusCode } = await visitor.get(`${path}/export/${file}`);
      expect([file, [400, 404].includes(statusCode)]).toEqual([file, true]);
    }
  });
});

eachStore('retention on the page', (open) => {
  test('an admin sets for how long addresses are kept, and an editor only reads it', async () => {
    const { store, web, visitor, path, workspaceId } = await anEditor(await open());
    expect((await visitor.get(path)).body).toContain('are kept for 30 days');
    expect((await visitor.post(`${path}/keep`, { days: '7' })).statusCode).toBe(403);
    const admin = new Visitor(
      web,
      await newPerson(store, { workspaceId, role: 'admin', clock: Date.now }),
    );
    for (const days of ['', '-1', '3651']) {
      expect((await admin.post(`${path}/keep`, { days })).statusCode, days).toBe(400);
    }
    expect((await admin.post(`${path}/keep`, { days: '7' })).headers.location).toBe(path);
    expect((await readCrawlerSettings(store, workspaceId)).keepAddressesDays).toBe(7);
    expect((await visitor.get(path)).body).toContain('are kept for 7 days');
    const history = await visitor.get(path.replace('data', 'history'));
    expect(history.body).toContain('set for how long addresses are kept');
  });
});

async function anEditor(place: { store: Store; url: string }) {
  const { store } = place;
  const clock = Date.now;
  const web = await startWeb(store, { runner: aRunner(place), clock });
  const { workspaceId, slug } = await newTenant(store);
  const person = await newPerson(store, { workspaceId, role: 'editor', clock });
  const visitor = new Visitor(web, person);
  return { store, web, visitor, person, workspaceId, path: `/w/${slug}/settings/data` };
}
