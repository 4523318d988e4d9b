import { shares } from '@overheard/contract';
import { expect, test } from 'vitest';
import { aWorkspace, importRows } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { aPrompt, idOf, writeRows } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { listImports } from '../../../imports/list-imports.ts';
import type { Role } from '../../../storage/tables/people-tables.ts';
import type { Store } from '../../../storage/store.ts';
import { promptId } from '../../../values/uuid.ts';

const rows = ['Acme.', 'Globex and Acme.', 'Globex.', 'Nobody.'].map((answer, index) => ({
  prompt: 'Which CRM?',
  engine: index % 2 === 0 ? 'chatgpt' : 'claude',
  run_at: `2026-11-1${index}T12:00:00Z`,
  answer,
}));
const asked = promptId({ text: 'Which CRM?', language: 'en', locale: 'en-US' });

eachStore('the pages of prompts', (open) => {
  test('the list and the page of a prompt show its figures with their samples', async () => {
    const { store } = await open();
    const { visitor, path } = await someone(store, 'viewer');
    const list = words((await visitor.get(path)).body);
    expect(list).toContain('data-n="4" data-bare><b>50 %</b>');
    expect(list).toMatch(/>of (\d+ to )?4 answers( each)?<\/span>/);
    expect(list).not.toContain('type="checkbox"');
    const { body } = await visitor.get(`${path}/${asked}`);
    expect(words(body)).toContain('Acme appears in');
    expect(words(body)).toMatch(/>of (\d to )?2 answers/);
    expect(body).toContain(`answers?prompt_id=${asked}&amp;cited=true&amp;subject_id=${idOf(2)}`);
    expect(words(body)).toContain('Acme is in 2 of 4 answers, Globex in 2');
    expect(words(body)).toContain('Engines are not asked this: its answers come only from imports');
    expect(body).not.toContain(`${asked}/switch`);
    const csv = await visitor.get(`${path}?format=csv`);
    const [line] = readCsv(csv.body);
    expect(line).toMatchObject({
      id: asked,
      text: 'Which CRM?',
      locale: 'en-US',
      stored_runs: '4',
    });
    expect(line).toMatchObject({ name: 'Acme', runs: '4', rate: '0.5', to: '2026-11-20' });
    expect(line).toHaveProperty('rate_low');
    const ofOne = await visitor.get(`${path}/${asked}?from=2026-11-10&to=2026-11-12&format=csv`);
    expect(ofOne.body.split('\n')[0]).toBe(shares.fields.join(','));
    expect(readCsv(ofOne.body)[0]).toMatchObject({
      name: 'Acme',
      from: '2026-11-10',
      to: '2026-11-12',
      runs: '3',
      rate: '0.6667',
      sov: '0.5',
    });
  });

  test('filters and order are in the address, and anything else there is refused', async () => {
    const { store } = await open();
    const { visitor, path, workspaceId } = await someone(store, 'viewer');
    const more = Array.from({ length: 120 }, (_, index) => ({
      ...aPrompt(),
      id: idOf(100 + index),
      text: `Question ${index}?`,
    }));
    await writeRows(store, workspaceId, { prompts: more });
    const idsOf = async (query: string) =>
      [...(await visitor.get(`${path}?${query}`)).body.matchAll(/prompts\/([0-9a-f-]{36})/g)].map(
        ([, id]) => id,
      );
    expect(await idsOf('text=crm&active=&branded=no')).toEqual([asked]);
    expect(await idsOf('sort=most_cited')).toHaveLength(25);
    expect((await idsOf('sort=most_cited'))[0]).toBe(asked);
    expect(new Set(await idsOf('page=5')).size).toBe(21);
    for (const query of ['page=0', 'sort=cost']) {
      expect([query, (await visitor.get(`${path}?${query}`)).statusCode]).toEqual([query, 400]);
    }
    for (const id of [idOf(9), 'nothing', promptId({ text: 'x', language: 'y', locale: 'z' })]) {
      expect([id, (await visitor.get(`${path}/${id}`)).statusCode]).toEqual([id, 404]);
    }
    const other = await someone(store, 'viewer');
    expect((await visitor.get(`${other.path}/${asked}`)).statusCode).toBe(404);
  });

  test('pasted prompts are saved by the door of imports, and once', async () => {
    const { store } = await open();
    const { visitor, path, workspaceId } = await someone(store, 'editor');
    const add = path.replace('prompts', 'start/prompts');
    const own = ['Which CRM?', 'Is Acme good?', '<b>New</b>?', '', '<b>New</b>?'].join('\r\n');
    const typed = { own, locale: 'en-us' };
    const invalid = await visitor.post(add, { ...typed, own: `${own}\r\nx\ty` });
    expect([invalid.statusCode, words(invalid.body).includes('Line 6: It has a tab')]).toEqual([
      400,
      true,
    ]);
    const saved = await Promise.all([typed, typed].map((form) => visitor.post(add, form)));
    expect(saved.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    const stored = await store.reader
      .selectFrom('prompts')
      .select(['id', 'text', 'collect'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(stored).toHaveLength(3);
    const id = promptId({ text: '<b>New</b>?', language: 'en', locale: 'en-US' });
    const fresh = stored.find((row) => row.id === id);
    expect([fresh?.text, Boolean(fresh?.collect)]).toEqual(['<b>New</b>?', false]);
    const [record] = (await listImports(store.reader, workspaceId)).slice(-1);
    expect(record?.kind).toBe('answers');
    const history = await visitor.get(path.replace('prompts', 'settings/history'));
    expect(words(history.body).match(/added <strong>2 prompts/g)).toHaveLength(1);
    expect((await visitor.get(add)).body).toMatch(/name="locale"[^>]*value="en-US"/);
    await visitor.post(add, { own: 'Which shop?', locale: 'en-US', topic: 'Shops' });
    expect((await visitor.get(`${path}?tag=shops`)).body).toContain('Which shop?');
    const fault = await visitor.post(add, { own: 'Which?', locale: 'en' });
    expect([fault.statusCode, fault.body.includes('id="locale-fault"')]).toEqual([400, true]);
  });

  test('collecting and activity are switched for the ticked prompts, for one, and for the whole list', async () => {
    const { store } = await open();
    const { visitor, path, workspaceId } = await someone(store, 'editor');
    await writeRows(store, workspaceId, {
      prompts: [1, 2, 3].map((number) => ({
        ...aPrompt(),
        id: idOf(number),
        text: `Question ${number}?`,
      })),
    });
    const states = async () =>
      (
        await store.reader
          .selectFrom('prompts')
          .select(['id', 'collect', 'active'])
          .where('workspace_id', '=', workspaceId)
          .orderBy('id')
          .execute()
      ).map(({ id, collect, active }) => [id, Boolean(collect), Boolean(active)]);
    const before = (await visitor.get(path)).headers['etag'];
    const form = `prompt[]=${idOf(1)}&prompt[]=${idOf(2)}&do=collect-on`;
    const ticked = await visitor.postText(`${path}/switch?engine=claude&sort=text`, form);
    expect(ticked.headers.location).toBe(`${path}?engine=claude&sort=text`);
    expect((await visitor.get(path)).headers['etag']).not.toBe(before);
    expect(await states()).toEqual(
      [
        [idOf(1), true, true],
        [idOf(2), true, true],
        [idOf(3), false, true],
        [asked, false, true],
      ].toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1)),
    );
    const second = `${path}/switch?text=question&page=2`;
    await visitor.post(second, { which: 'all', do: 'active-off' });
    await visitor.post(`${path}/${asked}/switch`, { 'prompt[]': asked, do: 'collect-on' });
    expect(new Map((await states()).map(([id, ...state]) => [id, state]))).toEqual(
      new Map([
        [idOf(1), [true, false]],
        [idOf(2), [true, false]],
        [idOf(3), [false, false]],
        [asked, [true, true]],
      ]),
    );
    const history = await visitor.get(path.replace('prompts', 'settings/history'));
    expect(words(history.body)).toContain('switched asking on for <strong>2 prompts');
    expect(words(history.body)).toContain('made inactive: <strong>3 prompts');
    const none = await visitor.post(`${path}/switch`, { do: 'collect-on' });
    expect(none.statusCode).toBe(400);
  });

  test('ticked prompts are tagged in one form, shown with their tags, and filtered by them', async () => {
    const { store } = await open();
    const { visitor, path, workspaceId } = await someone(store, 'editor');
    const prompts = [1, 2].map((number) =>
      aPrompt({ id: idOf(number), text: `Question ${number}?` }),
    );
    await writeRows(store, workspaceId, { prompts });
    const form = `prompt[]=${idOf(1)}&prompt[]=${asked}&do=topic&tag=Small+agencies`;
    const ticked = await visitor.postText(`${path}/switch`, form);
    expect(ticked.statusCode).toBe(303);
    await visitor.post(`${path}/${asked}/switch`, { 'prompt[]': asked, do: 'tag', tag: 'CRM' });
    const listed = (await visitor.get(`${path}?tag=crm`)).body;
    expect([...listed.matchAll(/name="prompt\[\]"/g)]).toHaveLength(1);
    expect(words(listed)).toMatch(/class="tag">Small agencies<.*class="tag">CRM</);
    const [line] = readCsv((await visitor.get(`${path}?tag=crm&format=csv`)).body);
    expect(line).toMatchObject({ id: asked, topic: 'Small agencies', tags: 'CRM' });
    // Enter in the field presses the first button, which must not be one that costs money.
    expect(listed.match(/name="do" value="([\w-]+)"/)?.[1]).toBe('tag');
    const all = { which: 'all', do: 'untag', tag: 'small agencies' };
    await visitor.post(`${path}/switch`, all);
    expect((await visitor.get(`${path}?tag=small+agencies`)).body).not.toContain('name="prompt[]"');
    const history = words((await visitor.get(path.replace('prompts', 'settings/history'))).body);
    expect(history).toContain('tagged <strong>2 prompts: Small agencies');
    expect(history).toContain('took a tag from <strong>2 prompts: Small agencies');
    for (const tag of ['', 'a,b']) {
      const odd = await visitor.post(`${path}/switch`, { 'prompt[]': asked, do: 'tag', tag });
      expect(odd.statusCode).toBe(400);
    }
  });
});

async function someone(store: Store, role: Role) {
  const web = await startWeb(store);
  const workspaceId = await aWorkspace(store);
  await importRows(store, workspaceId, rows);
  const person = await newPerson(store, { workspaceId, role });
  const path = `/w/w${workspaceId.slice(0, 8)}/prompts`;
  return { visitor: new Visitor(web, person), path, workspaceId };
}

function words(body: string): string {
  return body.replaceAll(/\s+/g, ' ');
}

/** The rows of a CSV file without quoted cells. */
function readCsv(body: string): Array<Record<string, string | undefined>> {
  const [head = '', ...lines] = body.trim().split('\n');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(head.split(',').map((name, index) => [name, cells[index]]));
  });
}
