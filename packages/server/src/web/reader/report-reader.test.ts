// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { importRows, now } from '../../../test/answers/answers.ts';
import { filled } from '../../../test/answers/reporting.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Open } from '../../../test/stores/stores.ts';
import { readReportBody } from '../../api/read-report-body.ts';
import { readRevision } from '../../api/response/entity-tag.ts';
import { runReport } from './run-report.ts';
import { createReportReader } from './report-reader.ts';

const clock = (): number => now;
const period = {
  from: '2026-10-24',
  to: '2026-11-20',
  today: '2026-11-20',
  excludesCompetitorPrompts: false,
};

eachStore('the reader of reports', (open) => {
  test('a report read in a thread equals one read directly, and its second reader gets the same rows', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const here = await runReport({ db: store.reader, workspaceId, store }, 'overview', period);
    const { read } = reader.of(workspaceId);
    const [first, again] = await Promise.all([read('overview', period), read('overview', period)]);
    expect(first).toEqual(JSON.parse(JSON.stringify(here)));
    expect(first.brand?.runs).toBeGreaterThan(0);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  test('the reader of reports counts an answer that comes to a day that it has read, and not for another workspace', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    const runsOf = async () => (await read('overview', period)).brand?.runs ?? 0;
    const before = await runsOf();
    const answer = { prompt: 'Who is new?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...answer, run_at: '2026-11-19T08:00:00Z' }]);
    expect(await runsOf()).toBe(before + 1);
    const other = await reader.of('019309c2-0000-7000-8000-000000000000').read('overview', period);
    expect(other).toMatchObject({ brand: null, subjects: [], promptCount: 0 });
  });

  test('the reader of reports reads again when the UTC day has ended', async () => {
    let at = now;
    const { store, workspaceId, reader } = await aReader(open, () => at);
    const { read } = reader.of(workspaceId);
    const before = (await read('filters', {})).locales;
    await store.writer.updateTable('prompts').set({ locale: 'fr-FR' }).execute();
    expect((await read('filters', {})).locales).toEqual(before);
    at += 24 * 3_600_000;
    expect((await read('filters', {})).locales).toEqual(['fr-FR']);
  });

  test('a report of the API read in a thread has the bytes of one read directly, and the revision of its data', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const revision = await readRevision(store.reader, workspaceId);
    const searches = [
      ['shares', 'by=prompt&from=2026-10-01&to=2026-11-20'],
      ['sources', 'by=page&from=2026-10-01&to=2026-11-20'],
      ['answers', 'limit=3'],
      ['crawls', 'by=page'],
    ] as const;
    for (const [endpoint, search] of searches) {
      const query = { workspaceId, endpoint, search, today: period.today, revision: 'earlier' };
      const here = await readReportBody(store.reader, query);
      expect(here.body.toString()).toContain('20');
      expect(await reader.readBody(query)).toEqual({ ...here, revision });
    }
  });

  test(
    'the cache of reports is limited, including the filters in its keys',
    { tags: ['long'] },
    async () => {
      const { store, workspaceId, reader } = await aReader(open);
      const { read } = reader.of(workspaceId);
      const before = (await read('filters', {})).locales;
      await store.writer.updateTable('prompts').set({ locale: 'fr-FR' }).execute();
      expect((await read('filters', {})).locales).toEqual(before);
      for (let number = 10; number < 30; number += 1) {
        const host = `${number}${'a'.repeat(1_000_000)}`;
        await read('hitTotals', { from: '2026-11-01', to: '2026-11-20', host });
      }
      expect((await read('filters', {})).locales).toEqual(['fr-FR']);
    },
  );

  test('the reader of reports says why its threads cannot open the database', async () => {
    const { store } = await open();
    const database = 'file:./no-such-folder/none.db';
    const reader = createReportReader({ store, database, clock });
    onTestFinished(() => reader.stop());
    const read = reader.of('019309c2-0000-7000-8000-000000000000').read('filters', {});
    await expect(read).rejects.toMatchObject({ code: 'database_not_found' });
  });
});

async function aReader(open: Open, time = clock) {
  const { store, workspaceId, url } = await filled(open);
  const reader = createReportReader({ store, database: url, clock: time });
  onTestFinished(() => reader.stop());
  return { store, workspaceId, reader };
}
