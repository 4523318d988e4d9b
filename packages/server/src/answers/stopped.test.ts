import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { addSubject, aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { importAnswers } from './import/import-answers.ts';
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
  test(
    'a person can stop an import while it writes, and nothing of it is stored',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const { signal, interrupt } = interruptible();
      const stopped = importUntil(store, { workspaceId, rows, signal, onWritten: interrupt });
      await expect(stopped).rejects.toThrow('stopped');
      expect(await countDetections(store)).toBe(0);
    },
  );

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
});
