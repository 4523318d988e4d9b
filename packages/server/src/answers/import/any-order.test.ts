import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { rebuildScores } from '../scores/rebuild-scores.ts';

const subject = fc.constantFrom('Acme', 'Globex', '[Initech](https://initech.com)', 'nobody');
const answer = fc
  .array(subject, { maxLength: 4 })
  .map((names) => names.map((name) => `${name} is a tool.`).join(' '));
const rows = fc.array(
  fc.record(
    {
      prompt: fc.constantFrom(
        'Which tool?',
        'Best tool for 2026?',
        'Is Acme any good?',
        ' Which tool? ',
      ),
      engine: fc.constantFrom('chatgpt', 'perplexity'),
      run_at: fc.constantFrom(
        '2026-11-18T00:00:00.000Z',
        '2026-11-18T23:59:59.999Z',
        '2026-11-19T00:30:00+01:00',
        '2026-11-19T00:00:00Z',
        '2026-11-19T08:00:00Z',
      ),
      answer,
      outcome: fc.constantFrom('answered', 'refused', 'failed'),
      sources: fc.constantFrom(
        [],
        ['https://acme.com/x'],
        ['https://globex.com', 'https://g2.com'],
      ),
      id: fc.uuid(),
      prompt_id: fc.constantFrom(idOf(1), idOf(2)),
    },
    { requiredKeys: ['prompt', 'engine', 'run_at', 'answer', 'id'] },
  ),
  { maxLength: 25 },
);

/** Everything that is derived from answers, without workspace ids. */
async function everything(store: Store, workspaceId: string): Promise<unknown> {
  const tables: unknown[] = [];
  for (const [table, order] of [
    ['prompts', 'id'],
    ['runs', 'id'],
    ['answers', 'run_id'],
    ['detections', 'id'],
    ['scores', 'id'],
  ] as const) {
    const found = await store.reader
      .selectFrom(table)
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .orderBy(store.reader.dynamic.ref(order))
      .execute();
    // The import marks of the rows depend on the number of files.
    const marks = { workspace_id: '', import_id: null, later_import_id: null };
    tables.push(found.map((row) => ({ ...row, ...marks })));
  }
  return tables;
}

function split<Item>(items: readonly Item[], files: number): Item[][] {
  return Array.from({ length: files }, (_, file) =>
    items.filter((__, index) => index % files === file),
  );
}

eachStore('importing', (open, dialect) => {
  const numRuns = cases(dialect === 'sqlite' ? 40 : 6);

  test(
    'importing rows in any order and split gives the same bytes, and again changes nothing',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const pieces = rows.chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray(all, { minLength: all.length }),
          fc.integer({ min: 1, max: 4 }),
        ),
      );
      await fc.assert(
        fc.asyncProperty(pieces, async ([all, shuffled, files]) => {
          const [whole, parted] = [await aWorkspace(store), await aWorkspace(store)];
          await importRows(store, whole, all);
          for (const file of split(shuffled, files)) await importRows(store, parted, file);
          const expected = await everything(store, whole);
          expect(await everything(store, parted)).toEqual(expected);
          const again = await importRows(store, whole, shuffled);
          expect(again).toMatchObject({ hasChanged: false, runs: { new: 0 } });
          expect(await everything(store, whole)).toEqual(expected);
        }),
        { numRuns },
      );
    },
  );

  test('scores agree with the detections, and rebuilding from nothing gives the same', async () => {
    const { store } = await open();
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const workspaceId = await aWorkspace(store);
        await importRows(store, workspaceId, all);
        const before = await everything(store, workspaceId);
        const scores = await readScores(store, workspaceId);
        for (const { date, engine, citations, total_runs: totalRuns, sov } of scores) {
          const { runs, brand, competitors } = await countByHand(store, workspaceId, date, engine);
          expect({ citations, totalRuns }).toEqual({ citations: brand, totalRuns: runs });
          expect(citations).toBeLessThanOrEqual(totalRuns);
          expect(sov).toBeGreaterThanOrEqual(0);
          expect(sov).toBeLessThanOrEqual(1);
          // The brand's detections and the competitors' add up to all of them.
          const everybody = brand + competitors;
          const theirs = everybody === 0 ? 0 : competitors / everybody;
          expect(everybody === 0 ? 1 : sov + theirs).toBeCloseTo(1, 3);
        }
        await store.writer.deleteFrom('scores').where('workspace_id', '=', workspaceId).execute();
        const rebuilt = await rebuildScores(store, workspaceId);
        expect(rebuilt.changes).toHaveLength(scores.length);
        expect(await everything(store, workspaceId)).toEqual(before);
        expect(await rebuildScores(store, workspaceId)).toMatchObject({ hasChanged: false });
      }),
      { numRuns },
    );
  });
});

function readScores(store: Store, workspaceId: string) {
  return store.reader
    .selectFrom('scores')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** The expected figures, computed here from all rows. */
async function countByHand(store: Store, workspaceId: string, date: string, engine: string) {
  const runs = await store.reader
    .selectFrom('runs')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
  const counted = new Set(
    runs
      .filter((run) => run.engine === engine && run.run_at.startsWith(date))
      .filter((run) => run.outcome === 'answered' && Number(run.branded) === 0)
      .map(({ id }) => id),
  );
  const detections = await store.reader
    .selectFrom('detections')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
  const cited = detections.filter((one) => counted.has(one.run_id) && Boolean(one.cited));
  const brand = cited.filter((one) => one.subject_type === 'brand').length;
  return { runs: counted.size, brand, competitors: cited.length - brand };
}
