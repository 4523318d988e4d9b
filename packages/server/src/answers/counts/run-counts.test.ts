import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { randomWrite, write } from '../../../test/answers/random-writes.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readRunCounts } from '../../storage/counts/run-counts.ts';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import type { Store } from '../../storage/store.ts';
import { redetect } from '../redetect/redetect.ts';
import { rebuildScores } from '../scores/rebuild-scores.ts';
import { fillCounts } from './fill-counts.ts';

eachStore('the counts of runs', (open, dialect) => {
  test(
    'the counts of runs match the stored runs and detections after any sequence of writes',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(randomWrite, { minLength: 1, maxLength: 6 }), async (steps) => {
          const workspaceId = await aWorkspace(store);
          for (const one of steps) {
            await write(store, workspaceId, one);
            expect(await storedCounts(store, workspaceId)).toEqual(
              await countByHand(store, workspaceId),
            );
          }
          expect(await rebuildScores(store, workspaceId)).toMatchObject({ hasChanged: false });
        }),
        { numRuns: cases(dialect === 'sqlite' ? 40 : 8) },
      );
    },
  );

  test('another workspace’s counts stay as they are', { tags: ['once'] }, async () => {
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

  test('the counts of runs are made before a server responds if an older version has left none', async () => {
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
    // Two servers start together: one counts, the other waits.
    const filled = await Promise.all([fillCounts(store), fillCounts(store)]);
    expect(filled.toSorted()).toEqual([0, 1]);
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

  test('a workspace that is removed while the counts of all are made does not stop the others', async () => {
    const { store } = await open();
    const removed = await aWorkspace(store);
    const others = [await aWorkspace(store), await aWorkspace(store)];
    // As if it was removed after the list of workspaces was read.
    await store.writer.deleteFrom('revisions').where('workspace_id', '=', removed).execute();
    expect(await fillCounts(store)).toBe(2);
    const states = await store.reader.selectFrom('rollup_states').select('workspace_id').execute();
    expect(states.map((state) => state.workspace_id).toSorted()).toEqual(others.toSorted());
    await expect(fillCounts(store, removed)).rejects.toThrow('workspace_removed');
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

function linesOf({ date, engine, cohort, judged_by, names: ids, ...counts }: RunCounts): string[] {
  let at = 0;
  return ids.prompts.flatMap((prompt, index) => {
    const key = `${date} ${engine} ${cohort} judged_by=${judged_by} ${prompt} ${counts.marks[index]}`;
    const lines = [`${key} runs=${counts.runs[index]}`];
    for (const end = at + (counts.subjectCount[index] ?? 0); at < end; at += 1) {
      const { subject, cited, named, linked, rankSum, withBrand } = counts;
      const figures = [cited, named, linked, rankSum, withBrand].map((column) => column[at]);
      lines.push(`${key} ${ids.subjects[subject[at] ?? -1]} ${figures.join(' ')}`);
    }
    return lines;
  });
}

/** The expected counts, computed here from all rows. */
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
      `${run.run_at.slice(0, 10)} ${run.engine} ${run.cohort} judged_by=${run.judged_by} ${run.prompt_id} ${marksByHand(run)}`,
  );
  return [...keyed]
    .flatMap(([key, group]) => {
      const ids = new Set(group.map(({ id }) => id));
      const cited = detections.filter((one) => ids.has(one.run_id) && Boolean(one.cited));
      const ofSubjects = [...Map.groupBy(cited, (one) => one.subject_id)].map(([subject, own]) => {
        const named = own.filter(({ position }) => position !== null).length;
        const linked = own.filter(({ url }) => url !== null).length;
        const ranks = own.reduce((sum, { rank }) => sum + (rank ?? 0), 0);
        const beside = own.filter(({ run_id: run }) =>
          cited.some((one) => one.run_id === run && one.subject_type === 'brand'),
        );
        return `${key} ${subject} ${own.length} ${named} ${linked} ${ranks} ${beside.length}`;
      });
      return [`${key} runs=${group.length}`, ...ofSubjects];
    })
    .toSorted();
}

/** Bits: the prompt names a competitor, the engine says whether it searched, and it did. */
function marksByHand(run: { names_competitor: unknown; searched: unknown }): number {
  const says = run.searched === null ? 0 : 8 + 16 * Number(run.searched);
  return 4 * Number(run.names_competitor) + says;
}
