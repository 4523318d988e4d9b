import { report, shares } from '@overheard/contract';
import type { ReportRow, ShareRow } from '@overheard/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, startApi } from '../../test/servers/api.ts';
import { cases } from '../../../../test/cases.ts';
import { aWorkspace, addSubject, importRows, now } from '../../test/answers/answers.ts';
import { randomAnswers } from '../../test/answers/random-answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../test/browsers/web.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import { redetect } from '../answers/redetect/redetect.ts';
import type { Store } from '../storage/store.ts';

const clock = () => now;
const body = z.strictObject({ report: report.row });

/** A workspace of answers in which one prompt is lost to Globex, one moved, and four gaps are open. */
async function fill(store: Store, others = cases(1500)) {
  const workspaceId = await aWorkspace(store);
  const dayOf = (back: number) => new Date(now - back * 86_400_000 - 1000).toISOString();
  await importRows(store, workspaceId, [
    ...randomAnswers(others, { beforeMs: now }).map(({ row }) => row),
    ...Array.from({ length: 40 }, (_, index) => ({
      prompt: 'Which tool is lost?',
      engine: 'chatgpt',
      run_at: dayOf(index % 50),
      answer: `Globex ${index}.`,
    })),
    ...Array.from({ length: 54 }, (_, index) => ({
      prompt: 'Which tool moved?',
      engine: 'chatgpt',
      run_at: dayOf(index),
      answer: index < 28 ? `Acme ${index}.` : `Nobody ${index}.`,
    })),
  ]);
  await store.writer.deleteFrom('actions').execute();
  await store.writer
    .insertInto('actions')
    .values(
      [90, null, 70, 80, 60].map((impact, index) => ({
        workspace_id: workspaceId,
        id: idOf(20 + index),
        prompt_id: null,
        recommendation: `Fix ${index}.`,
        priority: 'high' as const,
        status: index === 4 ? ('done' as const) : ('open' as const),
        impact_score: impact,
        sov_baseline: null,
        sov_result: null,
        created_at: '2026-11-18T06:00:00.000Z',
        parts: index === 0 ? JSON.stringify({ steps: ['Write a page.', 'Link it.'] }) : null,
      })),
    )
    .execute();
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  return { workspaceId, key, slug: `w${workspaceId.slice(0, 8)}` };
}

async function read(api: Awaited<ReturnType<typeof startApi>>, key: string): Promise<ReportRow> {
  const response = await call(api, '/api/v1/report', { key });
  expect(response.statusCode, response.body).toBe(200);
  return body.parse(response.json()).report;
}

eachStore('the report', (open) => {
  test(
    'the report has the figures of shares, apps and APIs apart, with both denominators and over the same compared runs',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const { key } = await fill(store);
      const api = await startApi(store, { clock, quota: 0 });
      const found = await read(api, key);
      const sharesOf = async (query: string): Promise<ShareRow[]> => {
        const response = await call(api, `/api/v1/shares?${query}`, { key });
        return z.object({ shares: shares.row.array() }).parse(response.json()).shares;
      };
      const figures = (row: Partial<ShareRow> | undefined) =>
        Object.fromEntries(
          Object.entries(row ?? {}).filter(([name]) =>
            Object.keys(found.surfaces[0] ?? {}).includes(name),
          ),
        );
      const ofApps = await sharesOf('surface=app');
      const [ofApis] = await sharesOf('surface=api');
      expect(found.surfaces).toEqual([
        { surface: 'app', ...figures(ofApps[0]) },
        { surface: 'api', ...figures(ofApis) },
      ]);
      expect(found.subjects[0]).toEqual({ name: 'Acme', type: 'brand', ...figures(ofApps[0]) });
      expect(found.subjects.slice(1).map(({ name, cited }) => [name, cited])).toEqual(
        ofApps
          .slice(1)
          .toSorted((left, right) => right.cited - left.cited)
          .map(({ name, cited }) => [name, cited]),
      );
      const byEngine = (await sharesOf('by=engine')).filter(
        ({ subject_type: type }) => type === 'brand',
      );
      expect(new Map(found.engines.map(({ engine, ...row }) => [engine, row]))).toEqual(
        new Map(
          byEngine.map(({ engine, refused, empty, failed, ...row }) => [
            engine,
            { ...figures(row), refused, empty, failed },
          ]),
        ),
      );
      expect(byEngine.filter(({ refused }) => refused === null)).toEqual([]);
      const gemini = found.engines.find(({ engine }) => engine === 'gemini');
      expect(gemini?.not_compared).toMatch(/^gemini: /);
      const byPrompt = await sharesOf('by=prompt&surface=app');
      const rowOf = (id: string) =>
        byPrompt.find((row) => row.prompt_id === id && row.subject_type === 'brand');
      for (const { prompt_id: id, prompt, ...row } of [...found.lost, ...found.moved]) {
        expect(prompt).toBe(rowOf(id)?.prompt);
        expect(row).toMatchObject(figures(rowOf(id)));
      }
      expect(found.lost.find(({ prompt }) => prompt === 'Which tool is lost?')).toMatchObject({
        leader: 'Globex',
        cited: 0,
      });
      const moved = byPrompt.filter(
        ({ subject_type: type, rate_verdict: verdict }) =>
          type === 'brand' && ['up', 'down'].includes(verdict),
      );
      expect(new Set(found.moved.map(({ prompt_id: id }) => id))).toEqual(
        new Set(moved.map(({ prompt_id: id }) => id)),
      );
      expect(found.moved.map(({ prompt }) => prompt)).toContain('Which tool moved?');
      expect(found.gaps.map((gap) => [gap.recommendation, gap.impact_score, gap.steps])).toEqual([
        ['Fix 0.', 90, ['Write a page.', 'Link it.']],
        ['Fix 3.', 80, []],
        ['Fix 2.', 70, []],
      ]);
      expect(found).toMatchObject({
        from: '2026-10-24',
        to: '2026-11-20',
        before_from: '2026-09-26',
        before_to: '2026-10-23',
      });
    },
  );

  test('the addresses in a report lead its members to the pages, and others to none', async () => {
    const { store } = await open({ clock });
    const { key, slug, workspaceId } = await fill(store, 0);
    const found = await read(await startApi(store, { clock, quota: 0 }), key);
    const web = await startWeb(store, { clock });
    const ada = new Visitor(web, await newPerson(store, { workspaceId, clock }));
    const other = { workspaceId: await aWorkspace(store), role: 'admin' as const, clock };
    const eve = new Visitor(web, await newPerson(store, other));
    const lost = found.lost.find(({ prompt }) => prompt === 'Which tool is lost?');
    const answer = await store.reader
      .selectFrom('runs')
      .select('id')
      .where('prompt_id', '=', lost?.prompt_id ?? '')
      .orderBy('run_at', 'desc')
      .executeTakeFirstOrThrow();
    const pages = new Map([
      [lost?.address, `prompts/${lost?.prompt_id}`],
      [lost?.answer, `answers/${answer.id}`],
      ...found.gaps.map(({ address, id }) => [address, `gaps/${id}`] as const),
    ]);
    expect(pages.size).toBe(5);
    expect(found.gaps[0]?.address.length).toBeGreaterThan(`/w/${slug}/g/`.length + 30);
    for (const [address = '', page] of pages) {
      const response = await ada.get(address ?? '');
      expect([response.statusCode, response.headers.location]).toEqual([303, `/w/${slug}/${page}`]);
      expect((await ada.get(`/w/${slug}/${page}`)).statusCode).toBe(200);
      expect((await eve.get(address ?? '')).statusCode).toBe(404);
    }
    // All ids of gaps begin alike, and none with f.
    for (const begin of ['0000', 'ffff', '000', 'x', '%27']) {
      expect((await ada.get(`/w/${slug}/g/${begin}`)).statusCode, begin).toBe(404);
    }
  });

  test(
    'a competitor that was added later leads no prompt whose earlier answers were not judged for it',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      const workspaceId = await aWorkspace(store);
      const answers = (day: string, prompt: string) =>
        Array.from({ length: 20 }, (_, hour) => ({
          prompt,
          engine: 'chatgpt',
          run_at: `${day}T${String(hour).padStart(2, '0')}:00:00Z`,
          answer: 'Hooli.',
        }));
      await importRows(store, workspaceId, answers('2026-11-17', 'Which tool is old?'));
      await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
      await importRows(store, workspaceId, [
        ...answers('2026-11-18', 'Which tool is old?'),
        ...answers('2026-11-18', 'Which tool is new?'),
      ]);
      const { key } = await createKey(store, { workspaceId, name: 'test', clock });
      const api = await startApi(store, { clock, quota: 0 });
      const { lost } = await read(api, key);
      expect(lost.map(({ prompt, leader }) => [prompt, leader])).toEqual([
        ['Which tool is new?', 'Hooli'],
      ]);
      await redetect(store, { workspaceId });
      expect((await read(api, key)).lost).toHaveLength(2);
    },
  );

  test(
    'a workspace without answers has a report that says so, and nothing of another workspace',
    { tags: ['once'] },
    async () => {
      const { store } = await open({ clock });
      await fill(store, 0);
      const workspaceId = await aWorkspace(store);
      const { key } = await createKey(store, { workspaceId, name: 'test', clock });
      const api = await startApi(store, { clock, quota: 0 });
      expect(await read(api, key)).toEqual({
        from: '2026-10-24',
        to: '2026-11-20',
        before_from: '2026-09-26',
        before_to: '2026-10-23',
        story: ['No answers in these 4 weeks.'],
        surfaces: [],
        subjects: [],
        engines: [],
        lost: [],
        moved: [],
        gaps: [],
        crawlers: [],
        topics: [],
        gap_topics: [],
        stances: null,
      });
    },
  );

  test('a report refuses days that are no period, and filters', async () => {
    const { store } = await open({ clock });
    const workspaceId = await aWorkspace(store);
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const api = await startApi(store, { clock });
    for (const query of [
      'from=2026-11-20&to=2026-11-19',
      'from=2024-01-01&to=2026-01-01',
      'from=yesterday',
      'engine=chatgpt',
    ]) {
      const refused = await call(api, `/api/v1/report?${query}`, { key });
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid_parameter']);
    }
  });
});
