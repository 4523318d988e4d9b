import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { addSubject, aWorkspace, importRows, now } from '../../test/answers.ts';
import { eachStore } from '../../test/stores.ts';
import type { Store } from '../storage/store.ts';
import { importAnswers } from './import/import-answers.ts';
import { redetect } from './redetect.ts';

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

/** A person's Ctrl-C: Node hears of it in the event loop, and so not while a promise follows another. */
function interruptible() {
  const stop = new AbortController();
  return { signal: stop.signal, interrupt: () => void setImmediate(() => stop.abort('SIGINT')) };
}

eachStore('a person who stops', (open) => {
  test('an import that is being written is heard, and nothing is there', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { signal, interrupt } = interruptible();
    const text = rows.map((row) => JSON.stringify(row)).join('\n');
    const stopped = importAnswers(store, {
      workspaceId,
      source: { name: 'rows', stream: Readable.from([Buffer.from(text)]), bytesTotal: undefined },
      format: 'ndjson',
      clock: () => now,
      signal,
      onWritten: interrupt,
    });
    await expect(stopped).rejects.toThrow('Stopped.\nNothing was imported.');
    expect(await countDetections(store)).toBe(0);
  });

  test('a redetection is heard, and all is as it was', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
    const { signal, interrupt } = interruptible();
    const stopped = redetect(store, { workspaceId, signal, onJudged: interrupt });
    await expect(stopped).rejects.toThrow('Stopped.');
    expect(await countDetections(store)).toBe(3 * rows.length);
  });
});
