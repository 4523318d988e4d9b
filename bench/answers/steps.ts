/** The whole import and a redetection, against a database. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { importAnswers } from '../../packages/server/src/answers/import/import-answers.ts';
import { redetect } from '../../packages/server/src/answers/redetect.ts';
import { openStore } from '../../packages/server/src/storage/open.ts';
import { addSubject, aWorkspace } from '../../packages/server/test/answers.ts';
import { makeAnswers, makeNames, makeSubjects } from './corpus.ts';

const now = Date.parse('2026-11-20T12:00:00.000Z');
const subjectsCount = 11;

/** Does the work of one measurement; returns it, so that the clock runs for it alone. */
type Step = (url: string, count: number) => Promise<() => Promise<unknown>>;

/** `import` fills a database that is not there; `redetect` needs one that `import` has filled. */
export const steps: Readonly<Record<string, Step>> = {
  async import(url, count) {
    const store = await openStore(url, { mayCreate: true });
    const workspaceId = await aWorkspace(store, { subjects: [] });
    for (const [index, { aliases, domains }] of makeSubjects(subjectsCount).entries()) {
      const subject = { name: aliases[0]?.alias ?? '', domain: domains[0] ?? '' };
      await addSubject(store, workspaceId, { ...subject, number: index + 1 });
    }
    const source = { name: 'rows', stream: Readable.from(rows(count)), bytesTotal: undefined };
    return async () => {
      await importAnswers(store, { workspaceId, source, format: 'ndjson', clock: () => now });
      await store.close();
    };
  },

  /** With one competitor more, whom some answers name. */
  async redetect(url) {
    const store = await openStore(url);
    const { id } = await store.reader
      .selectFrom('workspaces')
      .select('id')
      .executeTakeFirstOrThrow();
    const name = makeNames(80).at(-1) ?? '';
    await addSubject(store, id, { name, number: subjectsCount + 1 });
    return async () => {
      await redetect(store, { workspaceId: id });
      await store.close();
    };
  },
};

function* rows(count: number): Generator<Buffer> {
  const sample = makeAnswers(2000);
  for (let number = 0; number < count; number += 1) {
    const row = {
      id: randomUUID(),
      prompt: `Question ${number % 200}?`,
      engine: ['chatgpt', 'perplexity', 'gemini', 'claude'][number % 4],
      run_at: new Date(now - (number % 180) * 86_400_000).toISOString(),
      answer: sample[number % sample.length],
      sources: ['https://www.g2.com/categories/crm'],
    };
    yield Buffer.from(`${JSON.stringify(row)}\n`);
  }
}
