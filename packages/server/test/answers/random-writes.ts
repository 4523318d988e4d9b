/** Writes in any order, for what must be true after each of them. */
import fc from 'fast-check';
import { redetect } from '../../src/answers/redetect/redetect.ts';
import { removeAnswers } from '../../src/answers/remove/remove-answers.ts';
import { rebuildScores } from '../../src/answers/scores/rebuild-scores.ts';
import type { Store } from '../../src/storage/store.ts';
import { addSubject, importRows, now } from './answers.ts';
import { aDetection, aRun, idOf, writeRows } from '../stores/rows.ts';

const names = ['Acme', 'Globex', 'Initech', 'Hooli'];

const crm = 'https://www.g2.com/crm';
const sourcesOf = [
  [],
  ['https://acme.com/x', 'https://acme.com/y?utm_source=z', crm],
  [
    { url: crm, title: 'CRM' },
    { url: `${crm}#top`, title: 'Another title' },
  ],
  [{ url: crm, title: '' }, 'mailto:sales@globex.com'],
  [{ url: crm, title: 'The best CRM' }, { url: 'https://globex.com' }],
];

/** Outcome and sources follow from the moment: a run with the same id has the same content. */
const answer = fc
  .record({
    prompt: fc.constantFrom('Which tool?', 'Is Acme good?', 'Is Globex good?', 'Is Hooli good?'),
    engine: fc.constantFrom('chatgpt', 'gemini'),
    model: fc.constantFrom('a', 'b'),
    ms: fc.nat({ max: 200_000_000 }),
    answer: fc.subarray(names).map((cited) => `Take one: ${cited.join(', ')}.`),
  })
  .map(({ ms, prompt, ...row }) => ({
    ...row,
    prompt,
    locale: prompt.startsWith('Which') ? 'de-DE' : 'en-US',
    run_at: new Date(Date.UTC(2026, 10, 18) + ms).toISOString(),
    outcome: ms % 4 === 3 ? 'refused' : 'answered',
    sources: sourcesOf[ms % 5] ?? [],
    queries: [undefined, [], ['best crm']][ms % 3],
  }));

/** One write of a workspace’s answers, subjects or counts. */
export const randomWrite = fc.oneof(
  fc.record({
    kind: fc.constant('import' as const),
    rows: fc.array(answer, { minLength: 1, maxLength: 8 }),
  }),
  fc.record({
    kind: fc.constantFrom(
      'add' as const,
      'archive' as const,
      'redetect' as const,
      'rebuild' as const,
      'adopt' as const,
      'remove' as const,
    ),
  }),
);

export type Write = typeof randomWrite extends fc.Arbitrary<infer Value> ? Value : never;

export async function write(store: Store, workspaceId: string, done: Write): Promise<void> {
  // Random rows may be two answers to one prompt at one moment.
  if (done.kind === 'import') {
    await importRows(store, workspaceId, done.rows, { acceptsNearDuplicates: true });
  } else if (done.kind === 'redetect') await redetect(store, { workspaceId });
  else if (done.kind === 'rebuild') await rebuildScores(store, workspaceId);
  else if (done.kind === 'adopt') await adopt(store, workspaceId);
  else if (done.kind === 'remove') await removeNewest(store, workspaceId);
  else if (done.kind === 'add') await addHooli(store, workspaceId);
  else await archiveInitech(store, workspaceId);
}

/** A run that is imported with its detections, and later with its answer. */
async function adopt(store: Store, workspaceId: string): Promise<void> {
  const run = { engine: 'gemini', run_at: '2026-11-19T01:02:03.004Z' };
  const id = idOf(77);
  const stored = await store.reader
    .selectFrom('runs')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  if (stored.length > 0) return;
  const detections = [aDetection({ run_id: id, subject_id: idOf(1) })];
  await writeRows(store, workspaceId, { runs: [aRun({ id, ...run })], detections });
  await importRows(store, workspaceId, [
    { id, prompt: 'Which tool?', answer: 'Acme or Globex.', ...run },
  ]);
}

async function removeNewest(store: Store, workspaceId: string): Promise<void> {
  const choice = { engine: 'gemini', from: '2026-11-19' };
  await removeAnswers(store, { workspaceId, choice, clock: () => now });
}

async function addHooli(store: Store, workspaceId: string): Promise<void> {
  const found = await store.reader
    .selectFrom('subjects')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', idOf(4))
    .execute();
  if (found.length === 0) await addSubject(store, workspaceId, { name: 'Hooli', number: 4 });
}

async function archiveInitech(store: Store, workspaceId: string): Promise<void> {
  await store.writer
    .updateTable('subjects')
    .set({ archived_at: '2026-11-20T00:00:00.000Z' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', idOf(3))
    .execute();
}
