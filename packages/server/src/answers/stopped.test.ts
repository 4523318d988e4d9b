import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { addSubject, aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { idOf } from '../../test/stores/rows.ts';
import { recordStatements } from '../../test/stores/statements.ts';
import { stopOnce } from '../../test/commands/stopping.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { importAnswers } from './import/import-answers.ts';
import { previewSubjects } from './redetect/preview-subjects.ts';
import { redetect } from './redetect/redetect.ts';

const rows = Array.from({ length: 1200 }, (_, index) => ({
  prompt: `Question ${index % 7}?`,
  engine: 'chatgpt',
  run_at: new Date(Date.UTC(2026, 9, 1) + index * 60_000).toISOString(),
  answer: 'Acme or Hooli.',
}));

async function countDetections({ reader }: Store): Promise<number> {
  const count = reader.selectFrom('detections').select(({ fn }) => fn.countAll<number>().as('n'));
  return (await count.executeTakeFirstOrThrow()).n;
}

/** Ctrl-C: Node handles it in the event loop, so not while promises follow one another. */
function interruptible() {
  const stop = new AbortController();
  return { signal: stop.signal, interrupt: () => void setImmediate(() => stop.abort('SIGINT')) };
}

function importUntil(
  store: Store,
  {
    rows: all,
    ...options
  }: { workspaceId: string; rows: readonly object[]; signal: AbortSignal; onWritten?: () => void },
): Promise<unknown> {
  const text = all.map((row) => JSON.stringify(row)).join('\n');
  const stream = Readable.from([Buffer.from(text)]);
  const source = { name: 'rows', stream, bytesTotal: undefined };
  return importAnswers(store, { source, format: 'ndjson', clock: () => now, ...options });
}

eachStore('a person who stops', (open) => {
  test('a person can stop an import while it writes, and nothing of it is stored', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { signal, interrupt } = interruptible();
    const stopped = importUntil(store, { workspaceId, rows, signal, onWritten: interrupt });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await countDetections(store)).toBe(0);
  });

  test.each([
    ['are looked up', { prompt_id: idOf }],
    ['are written', { prompt: (index: number) => `Question ${index}?` }],
  ])('a person can stop an import while its prompts %s', async (_what, asked) => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { sent } = recordStatements();
    const about = () => sent().filter(({ text }) => text.includes('from prompts where')).length;
    const stopped = importUntil(store, {
      workspaceId,
      rows: rows.map(({ prompt: _, ...row }, index) => ({
        ...row,
        ...Object.fromEntries(Object.entries(asked).map(([key, make]) => [key, make(index)])),
      })),
      signal: stopOnce(() => about() > 0),
    });
    await expect(stopped).rejects.toThrow('stopped');
    // Each of the 6 batches queries its prompts once.
    expect(about()).toBeLessThan(6);
  });

  test('a person can stop a redetection, and nothing is changed', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
    const { signal, interrupt } = interruptible();
    const stopped = redetect(store, { workspaceId, signal, onJudged: interrupt });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await countDetections(store)).toBe(3 * rows.length);
  });

  test('a preview of subjects stops between two batches', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    const { signal, interrupt } = interruptible();
    let judged = 0;
    const preview = previewSubjects(store.reader, workspaceId, {
      change: { id: idOf(9), subject: undefined },
      answersMax: rows.length,
      signal,
      onJudged: (answers) => {
        judged = answers;
        interrupt();
      },
    });
    await expect(preview).rejects.toThrow('stopped');
    expect(judged).toBeLessThan(rows.length);
  });
});
