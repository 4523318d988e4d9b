// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { importRows, now } from '../../../test/answers/answers.ts';
import { filled } from '../../../test/answers/reporting.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Open } from '../../../test/stores/stores.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { newRevision } from '../../storage/write.ts';
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
  test('a report read in the thread equals one read directly, and its second reader gets the same rows', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const here = await runReport({ db: store.reader, workspaceId, store }, 'overview', period);
    const { read } = reader.of(workspaceId);
    const [first, again] = await Promise.all([read('overview', period), read('overview', period)]);
    expect(first).toEqual(JSON.parse(JSON.stringify(here)));
    expect(first.brand?.runs).toBeGreaterThan(0);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  test('the reader of reports sees a change at the first read after it', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    expect((await read('filters', {})).locales).not.toContain('fr-FR');
    await store.writer.updateTable('prompts').set({ locale: 'fr-FR' }).execute();
    await store.writer.updateTable('revisions').set({ revision: newRevision() }).execute();
    expect((await read('filters', {})).locales).toEqual(['fr-FR']);
  });

  test('the reader of reports counts an answer that comes to a day that it has read', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    const runsOf = async () => (await read('overview', period)).brand?.runs ?? 0;
    const before = await runsOf();
    const answer = { prompt: 'Who is new?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...answer, run_at: '2026-11-19T08:00:00Z' }]);
    expect(await runsOf()).toBe(before + 1);
  });

  test('the reader of reports never returns the report of one workspace to another', async () => {
    const { workspaceId, reader } = await aReader(open);
    expect((await reader.of(workspaceId).read('overview', period)).promptCount).toBeGreaterThan(0);
    const other = await reader.of('019309c2-0000-7000-8000-000000000000').read('overview', period);
    expect(other).toMatchObject({ brand: null, subjects: [], promptCount: 0 });
  });

  test('a workspace that asks for many reports keeps another waiting for one of them at most', async () => {
    const { workspaceId, reader } = await aReader(open);
    const order: string[] = [];
    const note = (who: string) => () => order.push(who);
    const days = Array.from({ length: 30 }, (_, index) => addDays(period.to, -index));
    const many = days.map((to) =>
      reader.of(workspaceId).read('hitTotals', { from: '2026-01-01', to }).then(note('greedy')),
    );
    const other = reader.of('019309c2-0000-7000-8000-000000000000').read('filters', {});
    await Promise.all([...many, other.then(note('modest'))]);
    expect(order.indexOf('modest')).toBeLessThan(3);
  });

  test('the reader of reports refuses the reports of a workspace past its share of the queue, and reads those of another', async () => {
    const { workspaceId, reader } = await aReader(open);
    const days = Array.from({ length: 60 }, (_, index) => addDays(period.to, -index));
    const { read } = reader.of(workspaceId);
    const many = days.map((to) => read('hitTotals', { from: '2026-01-01', to }));
    const other = reader.of('019309c2-0000-7000-8000-000000000000').read('filters', {});
    const outcomes = await Promise.allSettled(many);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(60 - 41);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'long_reads_too_many' });
    expect(await other).toMatchObject({ engines: [] });
    expect(await read('hitTotals', { from: '2026-01-01', to: '2026-11-20' })).toBeDefined();
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

  test('the cache of reports is limited, including the filters in its keys', async () => {
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
  });

  test('the reader of reports reads on after its thread has died', async () => {
    const { workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    await read('filters', {});
    await reader.stop();
    expect((await read('overview', period)).promptCount).toBeGreaterThan(0);
    await reader.stop();
    reader.open();
    expect((await read('hitTotals', period)).hits).toBeGreaterThan(0);
  });

  test('the reader of reports says why its thread cannot open the database', async () => {
    const { store, workspaceId } = await aReader(open);
    const database = 'file:./no-such-folder/none.db';
    const reader = createReportReader({ store, database, clock });
    onTestFinished(() => reader.stop());
    const read = reader.of(workspaceId).read('filters', {});
    await expect(read).rejects.toMatchObject({ code: 'database_not_found' });
  });
});

async function aReader(open: Open, time = clock) {
  const { store, workspaceId, url } = await filled(open);
  const reader = createReportReader({ store, database: url, clock: time });
  onTestFinished(() => reader.stop());
  return { store, workspaceId, reader };
}
