import { beforeAll, expect, test } from 'vitest';
import { isEverythingTested } from '../../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readAnswerList } from './answer-list.ts';
import type { ListedAnswer } from './answer-list.ts';
import { readAnswerReport } from './answer-report.ts';
import { readAnswerPages } from '../answers.ts';
import type { AnswerQuery } from '../answers.ts';
import type { ReportSource } from '../report-source.ts';

eachStore('answers to read', (open) => {
  // Five of them at the same moment, so that ties show.
  const rows = [
    ...randomAnswers(isEverythingTested ? 300 : 100, { beforeMs: now }).map(({ row }) => row),
    ...['claude', 'copilot', 'grok', 'chatgpt', 'gemini'].map((engine) => ({
      prompt: 'Which tool suits team 1?',
      language: 'en',
      locale: 'en-US',
      engine,
      run_at: '2026-11-19T12:00:00Z',
      answer: 'Acme, then Globex.',
    })),
  ];
  let source: ReportSource;

  beforeAll(async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    source = { db: store.reader, workspaceId };
    await importRows(store, workspaceId, rows);
  });

  const queries: ReadonlyArray<[string, Omit<AnswerQuery, 'rowsMax'>]> = [
    ['all', {}],
    ['of an engine', { engine: 'gemini' }],
    ['of days', { from: '2026-11-01', to: '2026-11-19' }],
    ['refused', { outcome: 'refused' }],
    ['that cite the brand', { citing: { subjectId: undefined, isCited: true } }],
    ['that do not cite a competitor', { citing: { subjectId: idOf(2), isCited: false } }],
  ];

  test.each(queries)(
    'pages of the answers %s are those of the API without their texts',
    async (_, query) => {
      const listed = await readAll(query);
      const whole = [];
      for await (const page of readAnswerPages(source, { ...query, rowsMax: 50 })) {
        whole.push(...page);
      }
      expect(listed.length).toBeGreaterThan(3);
      expect(
        listed.map(({ run_id, prompt, engine, outcome, branded, cited }) => [
          run_id,
          prompt,
          engine,
          outcome,
          branded,
          cited.map(({ name }) => name),
        ]),
      ).toEqual(
        whole.map(({ run_id, prompt, engine, outcome, branded, cited }) => [
          run_id,
          prompt,
          engine,
          outcome,
          branded,
          cited.map(({ name }) => name),
        ]),
      );
    },
  );

  test.each(queries)(
    'the newer and older answers of each lead through the list %s, and end at its ends',
    async (_, query) => {
      const listed = await readAll(query);
      const ids = listed.map(({ run_id: id }) => id);
      for (const [place, runId] of ids.entries()) {
        // Every third, the last, and all of one moment.
        const isTie = listed[place]?.run_at === '2026-11-19T12:00:00.000Z';
        const isStep = isEverythingTested || place % 3 === 0 || place === ids.length - 1;
        if (!isTie && !isStep) continue;
        const report = await readAnswerReport(source, { runId, list: { ...query, rowsMax: 1 } });
        expect([report?.newer, report?.older]).toEqual([
          ids[place - 1] ?? null,
          ids[place + 1] ?? null,
        ]);
      }
    },
  );

  test(
    'an answer is compared with the answer of each other engine to its prompt that is closest in time',
    { tags: ['once'] },
    async () => {
      const all = await readAll({});
      for (const row of all.slice(0, 40)) {
        const report = await readAnswerReport(source, { runId: row.run_id, list: { rowsMax: 1 } });
        const distance = (at: string) => Math.abs(Date.parse(at) - Date.parse(row.run_at));
        const candidates = all.filter(
          (each) =>
            each.prompt_id === row.prompt_id &&
            each.engine !== row.engine &&
            each.outcome === 'answered',
        );
        const closest = [...Map.groupBy(candidates, ({ engine }) => engine)].map(
          ([engine, each]) => [engine, Math.min(...each.map(({ run_at: at }) => distance(at)))],
        );
        expect(
          new Map(report?.others.map(({ engine, run_at: at }) => [engine, distance(at)])),
        ).toEqual(new Map(closest.map(([engine, least]) => [engine, least])));
      }
    },
  );

  test('an answer of another prompt is never beside it, nor one of another workspace', async () => {
    const [first, ...others] = await readAll({});
    const other = others.find((row) => row.prompt_id !== first?.prompt_id);
    const query = { runId: first?.run_id ?? '', list: { rowsMax: 1 } };
    expect(await readAnswerReport(source, { ...query, besideId: other?.run_id })).toBeNull();
    const same = others.find((row) => row.prompt_id === first?.prompt_id);
    const report = await readAnswerReport(source, { ...query, besideId: same?.run_id });
    expect(report?.beside?.run_id).toBe(same?.run_id);
    expect(await readAnswerReport({ ...source, workspaceId: idOf(1) }, query)).toBeNull();
    expect(await readAnswerReport(source, { ...query, runId: idOf(9) })).toBeNull();
  });

  async function readAll(query: Omit<AnswerQuery, 'rowsMax'>): Promise<ListedAnswer[]> {
    const found: ListedAnswer[] = [];
    for (let after: AnswerQuery['after']; ;) {
      const page = await readAnswerList(source, { ...query, after, rowsMax: 7 });
      found.push(...page.rows);
      if (page.next === null) return found;
      after = page.next;
    }
  }
});
