import type { StanceRow } from '@overheard/contract';
import {
  answers as answersEndpoint,
  detections,
  reportRow,
  reports,
  stances,
} from '@overheard/contract';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import {
  aJudgedWorkspace,
  aStance,
  answers,
  judged,
  labelled,
  writeStances,
} from '../../../test/answers/stances.ts';
import type { TestStance } from '../../../test/answers/stances.ts';
import { call, startApi } from '../../../test/servers/api.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Open } from '../../../test/stores/stores.ts';
import { createKey } from '../../access/keys.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readReport } from '../report.ts';
import { tagPrompts } from '../../workspaces/tags.ts';

const clock = () => now;

async function aJudged(open: Open, rows: readonly TestStance[] = labelled(judged)) {
  const { store } = await open({ clock });
  const workspaceId = await aJudgedWorkspace(store, rows);
  return { store, workspaceId, read: await reader(store, workspaceId) };
}

async function reader(store: Store, workspaceId: string) {
  const api = await startApi(store, { clock, quota: 0 });
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  return async (query = ''): Promise<StanceRow[]> => {
    const response = await call(api, `/api/v1/stances${query}`, { key });
    expect(response.statusCode, response.body).toBe(200);
    return stances.row.array().parse(response.json().stances);
  };
}

eachStore('stances', (open) => {
  // Tests that only read it share this workspace.
  let shared: { store: Store; workspaceId: string };
  beforeAll(async () => {
    const { store } = await open({ clock });
    shared = { store, workspaceId: await aJudgedWorkspace(store, labelled(judged)) };
  });

  test('each subject has its stances, their rate and share with intervals, and warnings first among its quotes', async () => {
    const read = await reader(shared.store, shared.workspaceId);
    const [acme, globex, initech, ...more] = await read();
    expect(more).toEqual([]);
    expect(acme).toMatchObject({
      name: 'Acme',
      runs: 10,
      cited: 9,
      first_choice: 1,
      recommended_for: 4,
      also: 0,
      plain: 3,
      mixed: 0,
      advised_against: 1,
      unknown_to_engine: 0,
      void: 1,
      recommended_rate: 0.5556,
      recommended_share: 0.5,
      kappa: 1,
      labels: 10,
      judge: 'judge_api',
    });
    expect(acme?.recommended_rate_low).toBeGreaterThan(0.1);
    expect(acme?.recommended_rate_high).toBeLessThan(0.95);
    expect(acme?.recommended_share_low).toBeGreaterThan(0.05);
    expect(acme?.quotes.map(({ stance, quote }) => [stance, quote])).toEqual([
      ['advised_against', 'Avoid Acme'],
      ['first_choice', 'Acme'],
      ['recommended_for', 'Best for small agencies: Acme 3'],
    ]);
    expect(globex).toMatchObject({
      cited: 10,
      recommended_for: 5,
      also: 5,
      recommended_share: 0.5,
    });
    expect(initech).toMatchObject({ cited: 0, recommended_rate: null, recommended_share: 0 });
  });

  test(
    'purposes in any case, spacing and with an article are one, spelled as most answers spell it',
    { tags: ['once'] },
    async () => {
      const read = await reader(shared.store, shared.workspaceId);
      const rows = await read('?by=purpose');
      expect(
        rows.map(({ name, purpose, runs, cited, recommended_for: count, ...row }) => [
          name,
          purpose,
          runs,
          cited,
          count,
          row.recommended_rate,
          row.recommended_share,
        ]),
      ).toEqual([
        ['Acme', 'SMALL agencies', 10, 9, 4, 0.4444, 0.4],
        ['Globex', 'SMALL agencies', 10, 10, 5, 0.5, 0.5],
      ]);
    },
  );

  test('rows are by engine, prompt, tag or topic, and parameters select their runs', async () => {
    const { store, workspaceId, read } = await aJudged(open);
    const { id } = await store.reader
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('text', '=', 'Which tool for 5?')
      .executeTakeFirstOrThrow();
    await tagPrompts(store, workspaceId, { ids: [id], tag: 'Hard', isTopic: true });
    const shown = async (query: string, field: 'engine' | 'prompt_id' | 'tag') =>
      (await read(query)).map((row) => [row.name, row[field], row.cited]);
    expect(await shown('?by=engine', 'engine')).toEqual([
      ['Acme', 'chatgpt', 9],
      ['Globex', 'chatgpt', 10],
    ]);
    expect(await shown(`?by=prompt&tag=hard`, 'prompt_id')).toEqual([
      ['Acme', id, 1],
      ['Globex', id, 1],
    ]);
    expect(await shown('?by=topic', 'tag')).toEqual([
      ['Acme', 'Hard', 1],
      ['Acme', null, 8],
      ['Globex', 'Hard', 1],
      ['Globex', null, 9],
    ]);
    expect(await shown('?engine=claude_api', 'engine')).toEqual([]);
    expect((await read('?from=2026-11-15&to=2026-11-15'))[0]).toMatchObject({
      runs: 1,
      advised_against: 1,
      recommended_rate: 0,
    });
  });

  test(
    'without labels, with too few or with too little agreement there are quotes and no figures',
    { tags: ['once'] },
    async () => {
      const { read } = await aJudged(open, judged);
      const none = { first_choice: null, advised_against: null, recommended_rate: null };
      const [unchecked] = await read();
      expect(unchecked).toMatchObject({ ...none, cited: 9, kappa: null, labels: 0 });
      expect(unchecked?.quotes[0]).toMatchObject({
        quote: 'Avoid Acme',
        stance: 'advised_against',
      });
      const eleventh = aStance(0, 1, { subject: 'Globex', stance: 'also' });
      const few = await aJudged(open, [...labelled(judged), eleventh]);
      expect((await few.read())[0]).toMatchObject({ ...none, kappa: 1, labels: 10 });
      const wrong = judged.map((row): TestStance => ({
        ...row,
        ...(row.subject === 'Globex' && { label: 'plain' }),
      }));
      const bad = await aJudged(open, wrong);
      expect((await bad.read())[0]).toMatchObject({ ...none, kappa: 0, labels: 10 });
    },
  );

  test('stances of an earlier judge or version, of subjects no longer cited, and of prompts that name the brand are left out', async () => {
    const { store, workspaceId, read } = await aJudged(open);
    const at = { subject: 'Acme', stance: 'advised_against' } as const;
    await importRows(store, workspaceId, [
      { ...answers[0], prompt: 'Is Acme good?', run_at: '2026-11-19T05:00:00Z' },
    ]);
    await writeStances(store, workspaceId, [{ ...at, run_at: '2026-11-19T05:00:00Z' }]);
    const earlier = { judgedAt: '2026-11-01T00:00:00.000Z' };
    await writeStances(store, workspaceId, [aStance(0, 1, at)], { ...earlier, version: 0 });
    await writeStances(store, workspaceId, [aStance(1, 1, at)], { ...earlier, judge: 'old_api' });
    await writeStances(store, workspaceId, [aStance(2, 1, { ...at, subject: 'Initech' })]);
    const [acme, , initech] = await read();
    expect(acme).toMatchObject({ runs: 10, cited: 9, advised_against: 1 });
    expect(initech).toMatchObject({ cited: 0 });
  });

  test('an engine that does not know a subject is counted apart', async () => {
    const { store, workspaceId, read } = await aJudged(open);
    const code = 'unknown_to_engine';
    await writeStances(store, workspaceId, [
      aStance(0, 1, { subject: 'Acme', stance: code, label: code }),
    ]);
    expect((await read())[0]).toMatchObject({ runs: 11, cited: 9, unknown_to_engine: 1 });
  });

  test('nothing of another workspace is read, and nothing is there before a judge', async () => {
    const { store } = shared;
    const other = await aWorkspace(store);
    const read = await reader(store, other);
    expect(await read()).toEqual([]);
    await importRows(store, other, answers);
    expect(await read(`?prompt_id=${idOf(9)}`)).toEqual([]);
    expect(await read()).toEqual([]);
  });

  test('answers say how they present each cited subject, and are found by that', async () => {
    const { store, workspaceId } = shared;
    const api = await startApi(store, { clock, quota: 0 });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const read = async (query: string) => {
      const response = await call(api, `/api/v1/answers?${query}`, { key });
      expect(response.statusCode, response.body).toBe(200);
      return answersEndpoint.row.array().parse(response.json().answers);
    };
    const [warned, ...others] = await read('stance=advised_against');
    expect(others).toEqual([]);
    expect(warned?.cited).toMatchObject([
      { name: 'Acme', stance: 'advised_against', purpose: null, quote: 'Avoid Acme' },
      { name: 'Globex', stance: 'also' },
    ]);
    expect(await read(`stance=advised_against&subject_id=${idOf(2)}`)).toEqual([]);
    expect(await read(`stance=also&subject_id=${idOf(2)}`)).toHaveLength(5);
    const [first] = await read('engine=claude_api&limit=1');
    expect(first?.cited[0]).toMatchObject({ stance: null, purpose: null, quote: null });
    expect((await call(api, '/api/v1/answers?stance=good', { key })).statusCode).toBe(400);
  });

  test('an imported sentiment stands, and a stance gives one only while the subject is cited', async () => {
    const { store, workspaceId } = await aJudged(open);
    const api = await startApi(store, { clock, quota: 0 });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const sentiments = async () => {
      const { body } = await call(api, '/api/v1/detections?from=2026-11-10&to=2026-11-15', { key });
      return detections.row
        .array()
        .parse(JSON.parse(body).detections)
        .filter((row) => row.engine === 'chatgpt' && row.subject_type === 'brand')
        .map(({ sentiment }) => sentiment);
    };
    const change = (values: object, at: string) =>
      writeWorkspace(store, workspaceId, async (transaction) => {
        await transaction
          .updateTable('detections')
          .set(values)
          .where('workspace_id', '=', workspaceId)
          .where('subject_type', '=', 'brand')
          .where('run_id', 'in', (runs) =>
            runs
              .selectFrom('runs')
              .select('id')
              .where('workspace_id', '=', workspaceId)
              .where('run_at', '=', at),
          )
          .execute();
        return { hasChanged: true };
      });
    const all = ['negative', 'positive', 'positive', 'positive', 'positive', 'positive'];
    expect(await sentiments()).toEqual(all);
    await change({ sentiment: 'neutral' }, answers[0]?.run_at ?? '');
    await change({ cited: false, position: null, rank: null }, answers[2]?.run_at ?? '');
    expect(await sentiments()).toEqual([
      'negative',
      'positive',
      'positive',
      'positive',
      null,
      'neutral',
    ]);
  });

  test('a report has stances once the judge is checked, and null before', async () => {
    const { store, workspaceId } = shared;
    const period = { from: '2026-10-24', to: '2026-11-20' };
    const source = { db: store.reader, workspaceId };
    const checked = await readReport(source, period);
    expect(checked.stances).toMatchObject([
      { name: 'Acme', type: 'brand', cited: 9, recommended_rate: 0.5556, kappa: 1 },
      { name: 'Globex', type: 'competitor', cited: 10, recommended_rate: 0.5 },
    ]);
    expect((await readReport(source, { from: period.to, to: period.to })).stances).toBeNull();
    const other = await aJudgedWorkspace(store, judged);
    const unchecked = await readReport({ db: store.reader, workspaceId: other }, period);
    expect(unchecked.stances).toBeNull();
  });
});

test('a report that was published before stances were counted can still be read', () => {
  const meta = z.object({ examples: z.array(z.unknown()) });
  const fields = Object.entries(reportRow.shape)
    .filter(([name]) => name !== 'stances')
    .map(([name, field]) => [name, meta.parse(field.meta()).examples[0]]);
  const older: unknown = Object.fromEntries(fields);
  expect(reports.row.shape.report.safeParse(older).success).toBe(true);
  expect(reportRow.safeParse(older).success).toBe(false);
});
