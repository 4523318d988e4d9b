import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../../../test/answers/answers.ts';
import { filled } from '../../../../test/answers/reporting.ts';
import { aScore, idOf, writeRows } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import { aVisitor } from '../../../../test/browsers/a-visitor.ts';
import type { Store } from '../../../storage/store.ts';

const dayMs = 24 * 3_600_000;

eachStore({ title: 'the overview', onBoth: true }, (open) => {
  test(
    'the overview gives the answer in words first, with its sample, its interval and its verdict',
    { tags: ['once'] },
    async () => {
      const { store, workspaceId, slug } = await filled(open);
      const { text } = await aVisitor(store, { workspaceId, slug });
      expect(await text('')).toMatch(
        /(?:real change|answers|compar).* Acme appears in \d+ %.* Appears in \d+ % of \d+ answers \(\d+ to \d+ %\) .*compared with the 4 weeks before/,
      );
      expect(await text('')).toMatch(/Two answers to one prompt correlate by 0\.\d\d;/);
      const long = await text('?weeks=26');
      expect(long).toContain('No answers can be compared with the 26 weeks before.');
    },
  );

  test('with imported scores alone, the overview shows the rate, and says that it has no interval', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await writeRows(store, workspaceId, {
      scores: [aScore({ date: '2026-11-19', citations: 30, total_runs: 1200 })],
    });
    const { text } = await aVisitor(store, { workspaceId });
    const page = await text('');
    expect(page).toContain('3 % of 1,200 answers');
    expect(page).toContain('can’t show how certain that is');
    expect(page).not.toContain('Share of voice');
    expect(await text('?from=2026-01-01&to=2026-01-02')).toContain(
      'No imported score is in this period',
    );
  });

  test(
    'a chart of over 28 days shows weeks, even if each day has 30 answers',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const rows = Array.from({ length: 30 * 30 }, (_, index) => ({
        prompt: `Question ${index % 30}?`,
        engine: 'chatgpt',
        run_at: new Date(now - Math.floor(index / 30) * 24 * 3_600_000).toISOString(),
        answer: 'Acme.',
      }));
      await importRows(store, workspaceId, rows);
      const { text } = await aVisitor(store, { workspaceId });
      expect(await text('')).toContain('Answers in which Acme appears, by week');
      expect(await text('?from=2026-11-14&to=2026-11-20')).toContain(
        'Answers in which Acme appears, by day',
      );
    },
  );

  test('the overview counts what came since the last visit of this member, from that day on', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [
      { prompt: 'Who?', engine: 'chatgpt', run_at: '2026-11-18T08:00:00Z', answer: 'Acme.' },
      { prompt: 'Who?', engine: 'chatgpt', run_at: '2026-11-19T08:00:00Z', answer: 'Acme.' },
      { prompt: 'Who?', engine: 'chatgpt', run_at: '2026-11-20T08:00:00Z', answer: 'Acme.' },
    ]);
    let at = now - dayMs;
    const { text } = await aVisitor(store, { workspaceId, clock: () => at });
    expect(await text('')).not.toContain('last visit');
    await noted(store, '2026-11-19');
    at = now;
    for (const time of ['first', 'second']) {
      expect(await text(''), time).toContain(
        'Since 19 November 2026, the day of your last visit: 2 answers',
      );
      await noted(store, '2026-11-20');
    }
    const other = await aVisitor(store, { workspaceId, clock: () => at });
    expect(await other.text('')).not.toContain('last visit');
  });

  test(
    'the overview marks days on which the measure changed: a prompt added, a model changed',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const run = { prompt: 'Who?', model: 'two', engine: 'chatgpt', answer: 'Acme.' };
      await importRows(store, workspaceId, [
        { ...run, run_at: '2026-11-10T08:00:00Z', model: 'one' },
        { ...run, run_at: '2026-11-11T08:00:00Z' },
        { ...run, run_at: '2026-11-17T08:00:00Z', prompt: 'Where?' },
      ]);
      const page = await (await aVisitor(store, { workspaceId })).text('');
      expect(page).toContain('11 November 2026: chatgpt began to answer as two');
      expect(page).toContain('17 November 2026: 1 prompt added');
    },
  );

  test('head figures are of apps where any has counted runs, with those of APIs apart', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const api = { prompt: 'Who?', engine: 'chatgpt_api', run_at: '2026-11-18T08:00:00Z' };
    const apis = [8, 9, 10].map((hour) => ({
      ...api,
      run_at: `2026-11-18T${String(hour).padStart(2, '0')}:00:00Z`,
      answer: hour === 8 ? 'Acme.' : 'Globex.',
    }));
    await importRows(store, workspaceId, apis);
    const { text, get } = await aVisitor(store, { workspaceId });
    expect(await text('')).toMatch(
      /Appears in 33 % of 3 answers .*answers got through APIs.*not the/,
    );
    const app = { ...api, engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [app, { ...app, run_at: '2026-11-19T08:00:00Z' }]);
    const prompt = await store.reader.selectFrom('prompts').select('id').executeTakeFirstOrThrow();
    for (const page of [
      '',
      'competitors',
      `competitors/${idOf(2)}`,
      'prompts',
      `prompts/${prompt.id}`,
    ]) {
      const shown = await text(page);
      expect(shown, page).toMatch(/apps alone.*Acme appears in 33 % of 3 answers/);
      expect(shown, page).not.toContain('of 5 answers');
    }
    expect(await text('')).toContain('Appears in 100 % of 2 answers');
    expect(await text('?surface=api')).toContain('Appears in 33 % of 3 answers');
    expect(await text('?engine=chatgpt_api')).toContain('Appears in 33 % of 3 answers');
    expect((await get('?surface=web')).statusCode).toBe(400);
    const listed = async (path: string) => (await get(path)).body.trim().split('\n').length - 1;
    expect(await listed('answers?surface=app&format=csv')).toBe(2);
    expect(await listed('answers?surface=api&format=csv')).toBe(3);
    expect(await text('prompts?surface=api')).toMatch(/got through APIs.* 33 % Globex, 67 % 3 /);
    const local = 'ollama_local_api';
    await importRows(store, workspaceId, [{ ...api, engine: local, answer: 'No.' }]);
    const sentence = 'Among them: Ollama (local model: not what people see).';
    for (const page of ['', 'competitors', `prompts/${prompt.id}`]) {
      expect(await text(page), page).toContain(sentence);
    }
  });
});

/** The visit is written after the response. */
async function noted(store: Store, day: string): Promise<void> {
  await expect
    .poll(async () => (await store.access.selectFrom('visits').select('day').execute())[0]?.day)
    .toBe(day);
}
