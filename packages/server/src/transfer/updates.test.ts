import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { exportText, importText, makeWorkspace, toLines } from '../../test/answers/transferring.ts';
import type { Store } from '../storage/store.ts';
import { revertImport } from '../imports/revert-import.ts';
import { readTags } from '../storage/prompt-tags.ts';
import { actions } from './resources/actions.ts';
import { prompts } from './resources/prompts.ts';

/** What an action may say or leave out, with so few values that files often say the same. */
const action = fc.record(
  {
    id: fc.nat({ max: 4 }).map((number) => `a0000000-0000-4000-8000-00000000000${number}`),
    recommendation: fc.constantFrom('a', 'b'),
    priority: fc.constantFrom('high', 'low'),
    status: fc.constantFrom('open', 'done'),
    impact_score: fc.constantFrom(null, 0, 50),
    sov_result: fc.constantFrom(null, 0.5),
    prompt_id: fc.constantFrom(null, 'c0000000-0000-4000-8000-000000000003'),
    created_at: fc.constantFrom('2026-11-19T00:00:00.000Z', '2026-11-20T12:34:56.789Z'),
  },
  { requiredKeys: ['id', 'recommendation', 'priority'] },
);
const file = fc.uniqueArray(action, { selector: ({ id }) => id, maxLength: 5 });

type Action = Record<string, unknown>;

const defaults: Action = {
  prompt_id: null,
  status: 'open',
  impact_score: null,
  sov_baseline: null,
  sov_result: null,
  created_at: '2026-11-20T12:34:56.789Z',
};

/** What a file does to the stored rows, in the plainest words there are. */
function apply(stored: Map<unknown, Action>, rows: readonly Action[]) {
  const counts = { new: 0, changed: 0, unchanged: 0, kept: 0 };
  for (const row of rows) {
    const before = stored.get(row['id']);
    const after = { ...(before ?? defaults), ...row };
    if (before === undefined) counts.new += 1;
    else if (Object.keys(after).some((field) => after[field] !== before[field]))
      counts.changed += 1;
    else counts.unchanged += 1;
    stored.set(row['id'], after);
  }
  return counts;
}

async function revisionOf(store: Store, workspaceId: string): Promise<string | undefined> {
  const row = await store.reader
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.revision;
}

eachStore('file after file', (open) => {
  test('given fields are stored, missing fields stay, and only a change makes a new revision', async () => {
    const { store } = await open();
    let runs = 0;
    const property = fc.asyncProperty(fc.array(file, { maxLength: 5 }), async (files) => {
      runs += 1;
      const where = { workspaceId: await makeWorkspace(store, `run-${runs}`), resource: actions };
      const model = new Map<unknown, Action>();
      for (const [index, rows] of files.entries()) {
        const before = await revisionOf(store, where.workspaceId);
        const counts = apply(model, rows);
        const summary = await importText(store, where, toLines(rows));
        expect(summary).toEqual({
          importId: index + 1,
          read: rows.length,
          rows: counts,
          parents: undefined,
          newEngines: [],
        });
        const hasChanged = (await revisionOf(store, where.workspaceId)) !== before;
        expect(hasChanged).toBe(counts.new + counts.changed > 0);
      }
      const exported = await exportText(store, { ...where, format: 'json' });
      const stored: { actions: Action[] } = JSON.parse(exported);
      expect(new Map(stored.actions.map((row) => [row['id'], row]))).toEqual(model);
    });
    await fc.assert(property, { numRuns: cases(20) });
  });
});

eachStore('tags of imported prompts', (open) => {
  test(
    'an import adds tags and topics, counts the prompts that change, and takes them back when reverted',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await makeWorkspace(store, 'acme');
      const bring = (...rows: object[]) =>
        importText(store, { workspaceId, resource: prompts }, toLines(rows));
      const tags = async () =>
        (await readTags(store.reader, workspaceId)).map((each) => [
          each.tag,
          each.prompts,
          each.topicOf,
        ]);
      const first = { text: 'Which?', topic: 'CRM', tags: 'Small, Cheap' };
      const { importId, rows } = await bring(first, { text: 'What?' });
      expect(rows).toMatchObject({ new: 2, changed: 0 });
      expect(await tags()).toEqual([
        ['CRM', 1, 1],
        ['Cheap', 1, 0],
        ['Small', 1, 0],
      ]);
      expect((await bring(first)).rows).toMatchObject({ changed: 0, unchanged: 1 });
      const exported = await exportText(store, { workspaceId, resource: prompts });
      const lines = exported
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      expect(lines).toContainEqual(
        expect.objectContaining({ text: 'Which?', topic: 'CRM', tags: 'Cheap,Small' }),
      );
      const copy = { workspaceId: await makeWorkspace(store, 'copy'), resource: prompts };
      await importText(store, copy, exported);
      expect(await exportText(store, copy)).toBe(exported);
      const more = await bring({ text: 'What?', tags: 'cheap' }, first);
      expect(more.rows).toMatchObject({ new: 0, changed: 1, unchanged: 1 });
      expect(await tags()).toContainEqual(['Cheap', 2, 0]);
      for (const row of [
        { text: 'How?', tags: 'a,,b' },
        { text: 'How?', topic: 'a,b' },
      ]) {
        await expect(bring(row)).rejects.toThrow('1 to 60 characters');
      }
      const clock = () => Date.parse('2026-11-20T12:34:56.789Z');
      for (const id of [importId, (importId ?? 0) + 1, (importId ?? 0) + 2]) {
        await revertImport(store, { workspaceId, id: id ?? 0, clock });
      }
      expect(await tags()).toEqual([]);
    },
  );
});
