// @module-tag slow
import { expect, test } from 'vitest';
import { newTenant } from '../../../../test/servers/api.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { listImports } from '../../../imports/list-imports.ts';
import type { Store } from '../../../storage/store.ts';

const foreign = `query;llm;ts;response_md;citations;session
best crm for freelancers;ChatGPT;20.11.2025 09:14;"Look at **Globex**, Acme";https://globex.example/guide | https://wiki.example/a;a81f
best crm for freelancers;Perplexity;20.11.2025 09:14;The most often named are Globex;https://reviews.example/crm;a81f
crm with open api;Google AIO;21.11.2025 09:15;Several have one.;;a820
`;
const explained = {
  c0: 'prompt',
  c1: 'engine',
  c2: 'run_at',
  c3: 'answer',
  c4: 'sources',
  c5: '',
  e0: 'chatgpt',
  e1: 'perplexity',
  e2: 'google_ai_overview',
  engine: '',
  dates: 'day_first',
  zone: 'Europe/Berlin',
  locale: 'en-GB',
};

eachStore({ title: 'files with other columns', onBoth: true }, (open) => {
  test('a file with other columns is imported once a person says what they are', async () => {
    const { store, visitor, path, workspaceId, upload } = await anEditor(await open());
    const id = await upload(foreign, 'november.csv');
    const page = (await visitor.get(path)).body;
    expect(page).toContain('Say what the columns of november.csv are');
    expect(page).toContain('3 rows can be read. Nothing is stored yet.');
    // What names and values suggest is chosen already.
    expect(chosen(page)).toEqual({
      ...explained,
      e2: 'google_aio',
      zone: 'UTC',
      locale: 'en-US',
    });
    expect(await listImports(store.reader, workspaceId)).toEqual([]);
    const send = () => visitor.post(`${path}/columns`, { job: id, ...explained });
    const sent = await Promise.all([send(), send()]);
    expect(sent.map(({ headers }) => headers.location)).toEqual([path, path]);
    await reached(store, { workspaceId, id });
    expect((await visitor.get(path)).body).toContain('3 rows: 3 new');
    const runs = await store.reader
      .selectFrom('runs')
      .select(['engine', 'run_at'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('run_at')
      .orderBy('engine')
      .execute();
    expect(runs).toEqual([
      { engine: 'chatgpt', run_at: '2025-11-20T08:14:00.000Z' },
      { engine: 'perplexity', run_at: '2025-11-20T08:14:00.000Z' },
      { engine: 'google_ai_overview', run_at: '2025-11-21T08:15:00.000Z' },
    ]);
  });

  test(
    'the server that has the file imports it, whichever server got the form',
    { tags: ['once'] },
    async () => {
      const place = await open();
      const { store, workspaceId, path, person, upload } = await anEditor(place);
      const id = await upload(foreign, 'november.csv');
      const other = await startWeb(store, { runner: aRunner(place), clock: Date.now });
      await new Visitor(other, person).post(`${path}/columns`, { job: id, ...explained });
      expect(await reached(store, { workspaceId, id })).toMatchObject({ state: 'done' });
    },
  );
});

eachStore('the columns of a file', (open) => {
  test('a row that cannot be read refuses the file, and the choices stay', async () => {
    const { store, visitor, path, workspaceId, upload } = await anEditor(await open());
    const id = await upload(foreign, 'november.csv');
    await visitor.post(`${path}/columns`, { job: id, ...explained, dates: 'month_first' });
    await reached(store, { workspaceId, id });
    const page = (await visitor.get(path)).body;
    expect(page).toMatch(/november\.csv:2: field (&quot;|")run_at(&quot;|"): expected/);
    expect(chosen(page)).toEqual({ ...explained, dates: 'month_first' });
    await visitor.post(`${path}/columns`, { job: id, ...explained });
    expect(await reached(store, { workspaceId, id })).toMatchObject({ state: 'done' });
  });

  test('two columns of one kind and an unknown time zone are refused', async () => {
    const { visitor, path, upload } = await anEditor(await open());
    const id = await upload(foreign, 'november.csv');
    for (const [choices, words] of [
      [{ c5: 'prompt' }, 'Two columns are'],
      [{ zone: 'Mars/Olympus' }, 'The time zone must be a zone'],
    ] as const) {
      const fields = { job: id, ...explained, ...choices };
      const { statusCode, body } = await visitor.post(`${path}/columns`, fields);
      expect([statusCode, body]).toEqual([400, expect.stringContaining(words)]);
    }
  });

  test("another workspace's file and a viewer's form change nothing", async () => {
    const place = await open();
    const { store, web, workspaceId, path, upload } = await anEditor(place);
    const other = await anEditor(place);
    const id = await upload(foreign, 'november.csv');
    const strange = await other.visitor.post(`${other.path}/columns`, { job: id, ...explained });
    expect(strange.headers.location).toBe(other.path);
    const viewer = await newPerson(store, { workspaceId, role: 'viewer', clock: Date.now });
    const watching = new Visitor(web, viewer);
    const refused = await watching.post(`${path}/columns`, { job: id, ...explained });
    expect(refused.statusCode).toBe(403);
    expect((await watching.get(path)).body).not.toContain('a81f');
    expect(await reached(store, { workspaceId, id })).toMatchObject({ state: 'failed' });
  });
});

/** The values of the form's controls. */
function chosen(page: string): Record<string, string> {
  const form = page.slice(page.indexOf('data/columns"'), page.indexOf('class="actions"'));
  const values: Record<string, string> = {};
  for (const [, name = '', options = ''] of form.matchAll(
    /<select[^>]*?name="(\w+)"[^>]*>(.*?)<\/select>/gs,
  )) {
    values[name] = /value="([^"]*)"\s+selected/.exec(options)?.[1] ?? '';
  }
  for (const [input] of form.matchAll(/<input[^>]*type="text"[^>]*>/gs)) {
    const name = /name="(\w+)"/.exec(input)?.[1] ?? '';
    values[name] = /value="([^"]*)"/.exec(input)?.[1] ?? '';
  }
  return values;
}

async function anEditor(place: { store: Store; url: string }) {
  const { store } = place;
  const clock = Date.now;
  const web = await startWeb(store, { runner: aRunner(place), clock });
  const { workspaceId, slug } = await newTenant(store);
  const person = await newPerson(store, { workspaceId, role: 'editor', clock });
  const visitor = new Visitor(web, person);
  const path = `/w/${slug}/settings/data`;
  return { store, web, visitor, person, workspaceId, path, upload };

  /** Uploads a file of answers, and waits for the end of its job, whose id it returns. */
  async function upload(content: string, name: string): Promise<string> {
    const id = hiddenField(await visitor.get(path), 'form');
    const fields = { form: id, rows: 'answers', format: '' };
    await visitor.upload(`${path}/import`, fields, { name, content });
    await reached(store, { workspaceId, id });
    return id;
  }
}
