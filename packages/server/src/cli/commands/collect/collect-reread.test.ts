import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answered, noon, startCollecting, status } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { reread } from '../../../collect/reread.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import type { Ledger, Store } from '../../../storage/store.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';

const run = 'collect run --workspace acme --now --at-once 1';
const reads = 'collect reread --workspace acme';

/** Work on the store behind the commands. */
async function withLedger(
  { url }: Collecting,
  work: (ledger: Ledger, store: Store) => Promise<unknown>,
): Promise<void> {
  const store = await openStore(url);
  try {
    const ledger = await store.ledger();
    if (ledger === undefined) throw new Error('No ledger');
    await work(ledger, store);
  } finally {
    await store.close();
  }
}

/** Changes stored responses, as an upgrade changes what is read in them. */
function changeBodies(here: Collecting, content: string, ids: readonly string[]): Promise<void> {
  const message = { role: 'assistant', content };
  const body = {
    ...answered.json,
    model: 'small-2',
    choices: [{ message, finish_reason: 'stop' }],
  };
  // With a frame each, as both were once kept.
  const [request, response] = [zstdCompressSync('{}'), zstdCompressSync(JSON.stringify(body))];
  const change = { request, response };
  return withLedger(here, (ledger) =>
    ledger.db.updateTable('bodies').set(change).where('reading_id', 'in', ids).execute(),
  );
}

async function listAnswers(
  here: Collecting,
): Promise<ReadonlyArray<{ run_id: string; text: string }>> {
  const { stdout } = await here.run('answers list --workspace acme --json');
  return JSON.parse(stdout).answers;
}

/** Two answers of three are read differently: they name another company. */
async function afterUpgrade(url: string): Promise<Collecting> {
  const here = await startCollecting(url, { prompts: 3 }, answered);
  await here.run('subject add Globex --workspace acme');
  await here.run(run);
  const [first, second] = await listAnswers(here);
  await changeBodies(here, 'Globex is better.', [first?.run_id ?? '', second?.run_id ?? '']);
  return here;
}

async function texts(here: Collecting): Promise<string[]> {
  return (await listAnswers(here)).map(({ text }) => text).toSorted();
}

const before = ['Acme is good.', 'Acme is good.', 'Acme is good.'];
const after = ['Acme is good.', 'Globex is better.', 'Globex is better.'];

eachDatabase({ title: 'collect reread', onBoth: true }, (create) => {
  test(
    'collect reread replaces answers with detections, scores, counts and the ledger’s model, and nothing without --apply',
    { tags: ['once'] },
    async () => {
      const here = await afterUpgrade(await create());
      const shown = await here.run(`${reads} --json`);
      expect(JSON.parse(shown.stdout)).toMatchObject({
        read: 3,
        replaced: 2,
        is_applied: false,
        scores: [{ before: { citations: 3 }, after: { citations: 1 } }],
      });
      expect(await texts(here)).toEqual(before);
      await here.run(`${reads} --apply`);
      expect(await texts(here)).toEqual(after);
      const { stdout } = await here.run('shares --workspace acme --json');
      expect(JSON.parse(stdout).shares).toMatchObject([
        { name: 'Acme', runs: 3, cited: 1 },
        { name: 'Globex', runs: 3, cited: 2 },
      ]);
      const scores = await here.run('export scores --workspace acme');
      expect(scores.stdout).toContain('"citations":1,"total_runs":3');
      expect(await status(here)).toMatchObject({
        cost_usd: 0.006,
        models: expect.arrayContaining([expect.objectContaining({ model: 'small-2' })]),
      });
      const again = await here.run(`${reads} --apply`);
      expect(again.stderr).toContain(
        'Read 3 stored responses again: every answer is read as before.',
      );
      expect(here.sent).toHaveLength(3);
    },
  );

  test('collect reread --apply removes the stances of answers with other words, and no other', async () => {
    const here = await afterUpgrade(await create());
    // The third answer has the same words of another model.
    await changeBodies(here, 'Acme is good.', [(await listAnswers(here))[2]?.run_id ?? '']);
    await withLedger(here, async (_, { reader, writer }) => {
      const runs = await reader.selectFrom('runs').select(['workspace_id', 'id']).execute();
      const row = {
        subject_id: 'acme',
        stance: 'also',
        purpose: null,
        quote: 'Acme is good',
      } as const;
      const by = { judge: 'own_api', model: null, version: 1, by_rule: false, sentiment: null };
      for (const { workspace_id, id: run_id } of runs) {
        const stored = { workspace_id, run_id, ...row, ...by, judged_at: '2026-11-20' };
        await writer.insertInto('stances').values(stored).execute();
      }
    });
    await here.run(`${reads} --apply`);
    await withLedger(here, async (_, { reader }) => {
      const rows = await reader
        .selectFrom('stances')
        .innerJoin('answers', 'answers.run_id', 'stances.run_id')
        .select('answer')
        .execute();
      expect(rows).toEqual([{ answer: 'Acme is good.' }]);
    });
  });

  test(
    'collect reread leaves the runs to the import that brought them, so that it can be reverted',
    { tags: ['once'] },
    async () => {
      const here = await afterUpgrade(await create());
      await here.run(`${reads} --apply`);
      const { stdout } = await here.run('imports list --workspace acme --json');
      const { id } = JSON.parse(stdout).imports.find(
        ({ kind }: { kind: string }) => kind === 'answers',
      );
      await here.run(`imports revert ${id} --workspace acme --yes`);
      expect(await texts(here)).toEqual([]);
      // And what a person has removed does not come back.
      await here.run(`${reads} --apply`);
      expect(await texts(here)).toEqual([]);
    },
  );

  test('collect reread imports an answer that was refused before, if it can be imported now', async () => {
    const pages = Array.from({ length: 10_001 }, (_, place) => ({
      url: `https://${place}.example`,
    }));
    const message = { content: 'Acme is good.', annotations: pages };
    const broken = { json: { ...answered.json, choices: [{ message }] } };
    const here = await startCollecting(await create(), { prompts: 2 }, broken, answered);
    await here.run(run);
    expect(await texts(here)).toEqual(['Acme is good.']);
    await withLedger(here, async ({ db }) => {
      const found = await db
        .selectFrom('readings')
        .select('id')
        .where('fault', '=', 'not_importable')
        .execute();
      await changeBodies(
        here,
        'Acme is good.',
        found.map(({ id }) => id),
      );
    });
    const shown = await here.run(`${reads} --apply`);
    expect(shown.stderr).toContain('Imported 1 run of answers that could not be imported before.');
    expect(await texts(here)).toEqual(['Acme is good.', 'Acme is good.']);
  });

  test(
    'collect reread replaces nothing if it ends in the middle, and everything the next time',
    { tags: ['once'] },
    async () => {
      const here = await afterUpgrade(await create());
      await withLedger(here, async (_, store) => {
        const { id: workspaceId } = await findWorkspace(store.reader, 'acme');
        let statements = 0;
        const failing: Store = {
          ...store,
          rowStatement: (db, compile) => {
            // The runs were removed and written again by then, and not their detections.
            if (++statements === 3) throw new Error('killed');
            return store.rowStatement(db, compile);
          },
        };
        const options = {
          workspaceId,
          isDryRun: false,
          examplesMax: 10,
          clock: () => noon,
          signal: new AbortController().signal,
          onRead: () => {},
        };
        await expect(reread(failing, options)).rejects.toThrow('killed');
      });
      expect(await texts(here)).toEqual(before);
      await here.run(`${reads} --apply`);
      expect(await texts(here)).toEqual(after);
    },
  );
});
