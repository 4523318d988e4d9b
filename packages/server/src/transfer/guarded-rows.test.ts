import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { inWords } from '../../test/commands/in-words.ts';
import { aWorkspace, importRows as importAnswerRows, now } from '../../test/answers/answers.ts';
import { least } from '../../test/answers/importing.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { importRows } from './import-rows.ts';
import type { RowImportSummary } from './import-rows.ts';
import type { Resource } from './resource.ts';
import { detections } from './resources/detections.ts';
import { prompts } from './resources/prompts.ts';
import { scores } from './resources/scores.ts';

interface File {
  readonly workspaceId: string;
  readonly resource: Resource;
  readonly lines: readonly unknown[];
}

function importLines(
  store: Store,
  { workspaceId, resource, lines }: File,
): Promise<RowImportSummary> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const stream = Readable.from([Buffer.from(text.join('\n'))]);
  const source = { name: 'rows.ndjson', stream, bytesTotal: undefined };
  return inWords(
    importRows(store, { workspaceId, resource, source, format: 'ndjson', clock: () => now }),
  );
}

eachStore('figures that follow from answers', (open) => {
  const day = { date: '2026-11-19', engine: 'chatgpt' };

  async function answered(store: Store) {
    const workspaceId = await aWorkspace(store);
    await importAnswerRows(store, workspaceId, [
      { prompt: 'best crm', engine: day.engine, run_at: `${day.date}T06:00:00Z`, answer: 'Acme.' },
    ]);
    const run = await store.reader.selectFrom('runs').selectAll().executeTakeFirstOrThrow();
    return { workspaceId, run };
  }

  test('figures that follow from answers are not replaced by scores that are imported, in whatever order', async () => {
    const { store } = await open();
    const { workspaceId } = await answered(store);
    const lines = [
      { ...day, citations: 0, total_runs: 9, sov: 0.1 },
      { ...day, engine: 'claude', citations: 0, total_runs: 9, sov: 0.1 },
    ];
    const { rows } = await importLines(store, { workspaceId, resource: scores, lines });
    expect(rows).toEqual({ new: 1, changed: 0, unchanged: 0, kept: 1 });
    const [stored] = await store.reader.selectFrom('scores').selectAll().execute();
    expect(stored).toMatchObject({ citations: 1, total_runs: 1, origin: 'derived' });
  });

  test('figures that follow from answers are unchanged by scores that say the same', async () => {
    const { store } = await open();
    const { workspaceId } = await answered(store);
    const lines = [{ ...day, citations: 1, total_runs: 1, sov: 1 }];
    const { rows } = await importLines(store, { workspaceId, resource: scores, lines });
    expect(rows).toEqual({ new: 0, changed: 0, unchanged: 1, kept: 0 });
  });

  test.each([
    ['a further subject', { subject_type: 'brand', cited: true }],
    ['another verdict', { subject_type: 'brand', subject_id: idOf(1), cited: false }],
    ['another engine', { subject_type: 'brand', subject_id: idOf(1), cited: true, engine: 'grok' }],
  ])(
    'figures that follow from answers are not changed by detections that are imported: %s',
    { tags: ['once'] },
    async (_title, differing) => {
      const { store } = await open();
      const { workspaceId, run } = await answered(store);
      const before = await store.reader.selectFrom('detections').selectAll().execute();
      const line = { run_id: run.id, engine: run.engine, run_at: run.run_at, ...differing };
      const done = importLines(store, { workspaceId, resource: detections, lines: [line] });
      await expect(done).rejects.toThrow('answers redetect');
      expect(await store.reader.selectFrom('detections').selectAll().execute()).toEqual(before);
      expect(await store.reader.selectFrom('runs').selectAll().execute()).toEqual([run]);
    },
  );
});

eachStore('a row without an id, whose stored id the file gives to another', (open) => {
  const [first, second] = [idOf(31), idOf(32)];
  const run = { ...least.detections, run_id: idOf(30), subject_type: 'competitor' };
  const moved = { ...run, id: idOf(40), subject_id: second };
  const orphan = { ...run, subject_id: first };

  test.each([
    ['before', [orphan, moved]],
    ['behind', [moved, orphan]],
  ])(
    'a row without an id whose stored id the file gives to another row is refused: %s that row',
    async (_title, lines) => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const file = { workspaceId, resource: detections };
      await importLines(store, { ...file, lines: [{ ...moved, subject_id: first }] });
      const before = await store.reader.selectFrom('detections').selectAll().execute();
      for (let time = 0; time < 2; time++) {
        const done = importLines(store, { ...file, lines });
        await expect(done).rejects.toThrow('which another line gives to another');
      }
      expect(await store.reader.selectFrom('detections').selectAll().execute()).toEqual(before);
    },
  );
});

eachStore({ title: 'a value that is nested too deep', onBoth: false }, (open) => {
  test('a value that is nested too deep is refused with its line and field', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const deep = `{"locale":"en-US","text":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const done = importLines(store, { workspaceId, resource: prompts, lines: [deep] });
    await expect(done).rejects.toThrow(/rows\.ndjson:1.*text.*nested/s);
  });
});
