import { expect, onTestFinished, test } from 'vitest';
import { importRows, now } from '../../../test/answers.ts';
import { filled } from '../../../test/reporting.ts';
import { eachStore } from '../../../test/stores.ts';
import type { Open } from '../../../test/stores.ts';
import { newRevision } from '../../storage/write.ts';
import { runReport } from './registry.ts';
import { createReportReader } from './report-reader.ts';

const clock = (): number => now;
const period = {
  from: '2026-10-24',
  to: '2026-11-20',
  today: '2026-11-20',
  withoutCompetitorPrompts: false,
};

eachStore('the reader of reports', (open) => {
  test('returns what the report says here, and again from memory', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const here = await runReport({ db: store.reader, workspaceId, store }, 'overview', period);
    const { read } = reader.of(workspaceId);
    const [first, again] = await Promise.all([read('overview', period), read('overview', period)]);
    expect(first).toEqual(JSON.parse(JSON.stringify(here)));
    expect(first.brand?.runs).toBeGreaterThan(0);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });

  test('sees a change at the first read after it', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    expect((await read('filters', {})).locales).not.toContain('fr-FR');
    await store.writer.updateTable('prompts').set({ locale: 'fr-FR' }).execute();
    await store.writer.updateTable('revisions').set({ revision: newRevision() }).execute();
    expect((await read('filters', {})).locales).toEqual(['fr-FR']);
  });

  test('counts an answer that comes to a day that it has read', async () => {
    const { store, workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    const runsOf = async () => (await read('overview', period)).brand?.runs ?? 0;
    const before = await runsOf();
    const answer = { prompt: 'Who is new?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...answer, run_at: '2026-11-19T08:00:00Z' }]);
    expect(await runsOf()).toBe(before + 1);
  });

  test('never returns the report of one workspace to another', async () => {
    const { workspaceId, reader } = await aReader(open);
    expect((await reader.of(workspaceId).read('overview', period)).promptCount).toBeGreaterThan(0);
    const other = await reader.of('019309c2-0000-7000-8000-000000000000').read('overview', period);
    expect(other).toMatchObject({ brand: null, subjects: [], promptCount: 0 });
  });

  test('reads on after its thread has died', async () => {
    const { workspaceId, reader } = await aReader(open);
    const { read } = reader.of(workspaceId);
    await read('filters', {});
    await reader.stop();
    expect((await read('overview', period)).promptCount).toBeGreaterThan(0);
  });

  test('says why its thread cannot open the database', async () => {
    const { store, workspaceId } = await aReader(open);
    const database = 'file:./no-such-folder/none.db';
    const reader = createReportReader({ store, database, clock });
    onTestFinished(() => reader.stop());
    const read = reader.of(workspaceId).read('filters', {});
    await expect(read).rejects.toMatchObject({ code: 'database_not_found' });
  });
});

async function aReader(open: Open) {
  const { store, workspaceId, url } = await filled(open);
  const reader = createReportReader({ store, database: url, clock });
  onTestFinished(() => reader.stop());
  return { store, workspaceId, reader };
}
