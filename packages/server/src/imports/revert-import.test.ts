import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { withInterruptedRead } from '../../test/stores/failing-store.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { importText, toLines } from '../../test/answers/transferring.ts';
import { removeAnswers } from '../answers/remove/remove-answers.ts';
import { redetect } from '../answers/redetect/redetect.ts';
import { rebuildScores } from '../answers/scores/rebuild-scores.ts';
import { rebuildHitCounts } from '../storage/counts/hit-counts.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { resources } from '../transfer/all-resources.ts';
import { revertImport } from './revert-import.ts';

const clock = (): number => now;

/** Rows from small ranges, so that files share rows. The content of a row follows from its id. */
const rowsOf = {
  answers: (place: number) => ({
    // A prompt that is asked in several words, and three that are not.
    ...(place % 4 === 3 && { prompt_id: idOf(500) }),
    prompt: ['Which tool?', 'Is Acme good?', 'Is Globex good?', `Which one, ${place}?`][place % 4],
    engine: ['chatgpt', 'gemini'][place % 2],
    run_at: new Date(Date.UTC(2026, 10, 18) + place * 9_000_000).toISOString(),
    answer: `Take ${['Acme', 'Globex', 'Initech'].slice(0, 1 + (place % 3)).join(', ')}.`,
  }),
  prompts: (place: number) => ({
    text: `What is ${place}?`,
    locale: 'en-US',
    created_at: '2026-11-01T00:00:00Z',
  }),
  detections: (place: number) => ({
    run_id: idOf(Math.floor(place / 2)),
    subject_type: 'competitor',
    subject_id: idOf(2 + (place % 2)),
    cited: true,
    engine: 'claude',
    run_at: '2026-11-19T05:00:00Z',
  }),
  scores: (place: number) => ({
    date: `2026-11-${18 + (place % 3)}`,
    engine: ['chatgpt', 'gemini', 'grok'][place % 3],
    citations: 1,
    total_runs: 4,
    sov: 0.25,
  }),
  actions: (place: number) => ({
    recommendation: `Do ${place}.`,
    priority: 'low',
    created_at: '2026-11-01T00:00:00Z',
  }),
  hits: (place: number) => ({
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    category: 'crawler',
    path: `/${place % 4}`,
    method: 'GET',
    status: 200,
    verification: 'verified',
    hit_at: `2026-11-${17 + (place % 3)}T11:00:00.000Z`,
  }),
};

type Kind = keyof typeof rowsOf;
interface File {
  readonly kind: Kind;
  readonly places: readonly number[];
}

const kinds: readonly Kind[] = ['answers', 'prompts', 'detections', 'scores', 'actions', 'hits'];

function fileOf(of: readonly Kind[]): fc.Arbitrary<File> {
  return fc.record({
    kind: fc.constantFrom(...of),
    places: fc.uniqueArray(fc.nat({ max: 11 }), { minLength: 1, maxLength: 6 }),
  });
}

async function bring(store: Store, workspaceId: string, { kind, places }: File): Promise<number> {
  const rows = places.map((place) => rowsOf[kind](place));
  if (kind === 'answers') return (await importRows(store, workspaceId, rows)).importId ?? 0;
  const resource = resources.find(({ name }) => name === kind);
  if (resource === undefined) throw new TypeError('Every kind has a resource');
  return (await importText(store, { workspaceId, resource }, toLines(rows))).importId ?? 0;
}

const tables = {
  prompts: 'id',
  runs: 'id',
  answers: 'run_id',
  detections: 'id',
  scores: 'date, engine',
  actions: 'id',
  hits: 'id',
  run_counts: 'date, engine, cohort, judged_by',
  source_counts: 'date, engine',
  hit_days: 'date, host_hash, bot_hash',
  hit_pages: 'page_hash',
};

/** Everything that a client can see, and the counts of reports. */
async function everything(store: Store, workspaceId: string): Promise<unknown> {
  const all: Record<string, unknown> = {};
  for (const [table, order] of Object.entries(tables)) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where workspace_id = ${workspaceId}
      order by ${sql.raw(order)}`.execute(store.reader);
    all[table] = rows.map((row) => ({
      ...row,
      workspace_id: '',
      import_id: 0,
      later_import_id: 0,
    }));
  }
  return all;
}

async function revisionOf(store: Store, workspaceId: string): Promise<unknown> {
  const query = store.reader.selectFrom('revisions').select('revision');
  return query.where('workspace_id', '=', workspaceId).executeTakeFirst();
}

eachStore('reverting an import', (open, dialect) => {
  test(
    'reverting an import leaves a workspace as if the file had never been imported, whatever was written before and after',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      // Derived scores keep a later file of scores out, and reverting the answers does not bring its
      // rows back.
      const others = kinds.filter((kind) => kind !== 'scores');
      const property = fc.asyncProperty(
        fc.array(fileOf(kinds), { maxLength: 3 }),
        fileOf(kinds),
        fc.array(fileOf(others), { maxLength: 3 }),
        fc.boolean(),
        async (before, wrong, after, isRedetected) => {
          const [one, other] = [await aWorkspace(store), await aWorkspace(store)];
          for (const file of before) {
            await bring(store, one, file);
            await bring(store, other, file);
          }
          const id = await bring(store, one, wrong);
          for (const file of after) {
            await bring(store, one, file);
            await bring(store, other, file);
          }
          if (isRedetected) await redetect(store, { workspaceId: one });
          const revision = await revisionOf(store, one);
          const tried = await revertImport(store, {
            workspaceId: one,
            id,
            clock,
            isDryRun: true,
          });
          expect(await revisionOf(store, one)).toEqual(revision);
          expect(await revertImport(store, { workspaceId: one, id, clock })).toEqual(tried);
          expect(tried.hasChanged).toBe(
            JSON.stringify(await revisionOf(store, one)) !== JSON.stringify(revision),
          );
          expect(await everything(store, one)).toEqual(await everything(store, other));
          expect(await rebuildScores(store, one)).toMatchObject({ hasChanged: false });
          await writeWorkspace(store, one, async (transaction) => {
            expect(await rebuildHitCounts(store, transaction, one)).toBe(false);
            return { hasChanged: false };
          });
        },
      );
      await fc.assert(property, { numRuns: cases(dialect === 'sqlite' ? 30 : 6) });
    },
  );

  test('reverting an import empties a workspace once each of its imports is reverted, in any order', async () => {
    const { store } = await open();
    const property = fc.asyncProperty(
      fc.array(fileOf(kinds), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (files, seed) => {
        const workspaceId = await aWorkspace(store);
        const empty = await everything(store, workspaceId);
        const ids: number[] = [];
        for (const file of files) ids.push(await bring(store, workspaceId, file));
        const order = ids.toSorted((left, right) => ((left * seed) % 7) - ((right * seed) % 7));
        for (const id of order) await revertImport(store, { workspaceId, id, clock });
        expect(await everything(store, workspaceId)).toEqual(empty);
      },
    );
    // The second file of detections keeps a run, whose prompt has to go with it.
    const chained: File[] = [
      { kind: 'answers', places: [2] },
      { kind: 'answers', places: [2, 0] },
      { kind: 'detections', places: [0] },
      { kind: 'detections', places: [0] },
    ];
    await fc.assert(property, {
      numRuns: cases(dialect === 'sqlite' ? 30 : 6),
      examples: [[chained, 0]],
    });
  });

  test(
    'reverting an import removes no row that another import of its kind still has',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      for (const kind of kinds) {
        for (const kept of [1, 2]) {
          const workspaceId = await aWorkspace(store);
          const ids: number[] = [];
          for (let count = 0; count < 3; count++) {
            ids.push(await bring(store, workspaceId, { kind, places: [0, 1] }));
          }
          const before = await everything(store, workspaceId);
          for (const id of ids.toSpliced(kept, 1))
            await revertImport(store, { workspaceId, id, clock });
          expect(await everything(store, workspaceId), `${kind} ${kept}`).toEqual(before);
        }
      }
    },
  );

  test('reverting an import of detections keeps a prompt whose answers were removed before', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const files = ['answers', 'answers', 'detections', 'detections'] as const;
    const ids: number[] = [];
    for (const kind of files) ids.push(await bring(store, workspaceId, { kind, places: [0] }));
    const revert = (id: number) => revertImport(store, { workspaceId, id, clock });
    for (const id of ids.slice(0, 2)) await revert(id);
    const choice = { engine: 'chatgpt' };
    expect(await removeAnswers(store, { workspaceId, choice, clock })).toMatchObject({ runs: 1 });
    for (const id of ids.slice(2)) await revert(id);
    expect(await everything(store, workspaceId)).toMatchObject({ runs: [], prompts: [{}] });
  });

  test('reverting an import says which import keeps the rows that stay', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const file: File = { kind: 'actions', places: [0] };
    const [id, later] = [
      await bring(store, workspaceId, file),
      await bring(store, workspaceId, file),
    ];
    const { kept } = await revertImport(store, { workspaceId, id, clock });
    const ids = [expect.any(String)];
    expect(kept).toEqual([{ table: 'actions', importId: later, rows: 1, ids }]);
  });

  test(
    'reverting an import refuses the rows of an import that is under way if these name a prompt that goes',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const id = await bring(store, workspaceId, { kind: 'answers', places: [3] });
      const late = { ...rowsOf.answers(7), prompt: undefined };
      // The prompt is there while the file is checked, and gone when it is written.
      const interrupted = withInterruptedRead(store, async () => {
        await revertImport(store, { workspaceId, id, clock });
      });
      await expect(importRows(interrupted, workspaceId, [late])).rejects.toThrow('prompt_id');
      expect(await everything(store, workspaceId)).toMatchObject({ prompts: [], runs: [] });
    },
  );
});
