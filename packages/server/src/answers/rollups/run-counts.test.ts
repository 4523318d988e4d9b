import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aWorkspace, addSubject, importRows } from '../../../test/answers.ts';
import { aDetection, aRun, idOf, writeRows } from '../../../test/rows.ts';
import { eachStore } from '../../../test/stores.ts';
import { readRunCounts } from '../../storage/rollups/run-counts.ts';
import type { RunCounts } from '../../storage/rollups/run-counts.ts';
import type { Store } from '../../storage/store.ts';
import { redetect } from '../redetect/redetect.ts';
import { rebuildScores } from '../scores/rebuild.ts';
import { fillRollups } from './fill.ts';

const names = ['Acme', 'Globex', 'Initech', 'Hooli'];

/** Outcome and sources follow from the moment: a run with the same id has the same content. */
const answer = fc
  .record({
    prompt: fc.constantFrom('Which tool?', 'Is Acme good?', 'Is Globex good?', 'Is Hooli good?'),
    engine: fc.constantFrom('chatgpt', 'gemini'),
    model: fc.constantFrom('a', 'b'),
    ms: fc.nat({ max: 200_000_000 }),
    answer: fc.subarray(names).map((cited) => `Take one: ${cited.join(', ')}.`),
  })
  .map(({ ms, ...row }) => ({
    ...row,
    run_at: new Date(Date.UTC(2026, 10, 18) + ms).toISOString(),
    outcome: ms % 4 === 3 ? 'refused' : 'answered',
    sources: [[], ['https://acme.com/x'], ['https://globex.com']][ms % 3] ?? [],
  }));

/** What may be done to a workspace, in any order. */
const step = fc.oneof(
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
    ),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never;

async function take(store: Store, workspaceId: string, done: Step): Promise<void> {
  if (done.kind === 'import') await importRows(store, workspaceId, done.rows);
  else if (done.kind === 'redetect') await redetect(store, { workspaceId });
  else if (done.kind === 'rebuild') await rebuildScores(store, workspaceId);
  else if (done.kind === 'adopt') await adopt(store, workspaceId);
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

eachStore('the counts of runs', (open, dialect) => {
  test('are those of the stored runs and detections after any sequence of writes', async () => {
    const { store } = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const workspaceId = await aWorkspace(store);
        for (const one of steps) {
          await take(store, workspaceId, one);
          expect(await storedCounts(store, workspaceId)).toEqual(
            await countByHand(store, workspaceId),
          );
        }
        expect(await rebuildScores(store, workspaceId)).toMatchObject({ hasChanged: false });
      }),
      { numRuns: dialect === 'sqlite' ? 40 : 8 },
    );
  }, 120_000);

  test('another workspace’s counts stay as they are', async () => {
    const { store } = await open();
    const [one, other] = [await aWorkspace(store), await aWorkspace(store)];
    const row = {
      prompt: 'Which tool?',
      engine: 'chatgpt',
      run_at: '2026-11-19T06:00:00Z',
      answer: 'Acme.',
    };
    await importRows(store, one, [row]);
    await importRows(store, other, [{ ...row, answer: 'Globex.' }]);
    const before = await storedCounts(store, one);
    await importRows(store, other, [{ ...row, run_at: '2026-11-19T07:00:00Z' }]);
    await redetect(store, { workspaceId: other });
    expect(await storedCounts(store, one)).toEqual(before);
    expect(before).toHaveLength(2);
  });

  test('are made before a server answers if an older version has left none', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const rows = [1, 2, 3].map((day) => ({
      prompt: 'Which tool?',
      engine: 'chatgpt',
      run_at: `2026-11-1${day}T06:00:00Z`,
      answer: 'Acme or Globex.',
    }));
    await importRows(store, workspaceId, rows);
    const before = await storedCounts(store, workspaceId);
    await store.writer.deleteFrom('run_counts').where('workspace_id', '=', workspaceId).execute();
    await store.writer
      .updateTable('runs')
      .set({ cohort: null, judged_by: null })
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(await fillRollups(store)).toBe(1);
    expect(await fillRollups(store)).toBe(0);
    expect(await rebuildScores(store, workspaceId)).toMatchObject({ hasChanged: false });
    const after = await storedCounts(store, workspaceId);
    const without = (lines: readonly string[]) =>
      lines.map((line) => line.replace(/ judged_by=\S+/, ''));
    expect(without(after)).toEqual(without(before));
    const sets = await store.reader
      .selectFrom('subject_sets')
      .select('subjects')
      .where('workspace_id', '=', workspaceId)
      .execute();
    expect(sets.map(({ subjects }) => subjects)).toContain(
      JSON.stringify([1, 2, 3].map((number) => [idOf(number), ''])),
    );
  });
});

/** The stored counts as lines, one for each prompt, and one for each of its subjects. */
async function storedCounts(store: Store, workspaceId: string): Promise<string[]> {
  const lines: string[] = [];
  const days = { from: '2026-11-01', to: '2026-12-31' };
  for await (const rows of readRunCounts(store.reader, workspaceId, days)) {
    lines.push(...rows.flatMap(linesOf));
  }
  return lines.toSorted();
}

function linesOf({ date, engine, cohort, judged_by, subjects, prompts }: RunCounts): string[] {
  return prompts.flatMap(([prompt, names_, runs, counts]) => {
    const key = `${date} ${engine} ${cohort} judged_by=${judged_by} ${prompt} ${names_}`;
    const cited = counts.map(
      ([subject, ...figures]) => `${key} ${subjects[subject]} ${figures.join(' ')}`,
    );
    return [`${key} runs=${runs}`, ...cited];
  });
}

/** The same by another way: all rows, counted here. */
async function countByHand(store: Store, workspaceId: string): Promise<string[]> {
  const runs = await store.reader
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
  const detections = await store.reader
    .selectFrom('detections')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
  const counted = runs.filter((run) => run.outcome === 'answered' && Number(run.branded) === 0);
  const keyed = Map.groupBy(
    counted,
    (run) =>
      `${run.run_at.slice(0, 10)} ${run.engine} ${run.cohort} judged_by=${run.judged_by} ${run.prompt_id} ${Number(run.names_competitor)}`,
  );
  return [...keyed]
    .flatMap(([key, group]) => {
      const ids = new Set(group.map(({ id }) => id));
      const cited = detections.filter((one) => ids.has(one.run_id) && Boolean(one.cited));
      const ofSubjects = [...Map.groupBy(cited, (one) => one.subject_id)].map(([subject, own]) => {
        const named = own.filter(({ position }) => position !== null).length;
        const linked = own.filter(({ url }) => url !== null).length;
        const ranks = own.reduce((sum, { rank }) => sum + (rank ?? 0), 0);
        return `${key} ${subject} ${own.length} ${named} ${linked} ${ranks}`;
      });
      return [`${key} runs=${group.length}`, ...ofSubjects];
    })
    .toSorted();
}
