import { expect, onTestFinished, test } from 'vitest';
import {
  addEngine,
  collectFrom,
  answered,
  budget,
  noon,
  startCollecting,
} from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { Refusal } from '../../../refusals.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now --at-once 1';
const body = JSON.stringify(answered.json);

/** Of today and this month. */
async function operatorBudget(here: Collecting): Promise<unknown> {
  return JSON.parse((await here.run('budget cap --json')).stdout).periods;
}

eachDatabase(
  { title: 'a workspace that is removed while its question is open', onBoth: true },
  (create) => {
    test.each<[{ status?: number; json: object }, number]>([
      [{ json: answered.json }, 0.002],
      [{ status: 500, json: {} }, 0.01],
      [{ status: 429, json: {} }, 0],
    ])(
      'a workspace removed during a question frees the held amount, and keeps the billed one: %j',
      async (reply, usd) => {
        const here = await startCollecting(await create(), { prompts: 1 }, (response) => {
          void here.run('workspace remove acme --yes').then(() => {
            response.writeHead(reply.status ?? 200).end(JSON.stringify(reply.json));
          });
        });
        await here.run(`${addEngine(here)} --at-once 1`);
        await here.run(run);
        expect(here.sent).toHaveLength(1);
        const period = { spent_usd: usd, held_usd: 0 };
        expect(await operatorBudget(here)).toMatchObject([period, period]);
        const { stdout } = await here.run('engine list --json');
        expect(JSON.parse(stdout).engines[0].operator.periods).toMatchObject([period, period]);
      },
    );
  },
);

eachDatabase(
  { title: 'a settlement that was committed, but whose confirmation was lost', onBoth: true },
  (create) => {
    test.each(['removed', 'kept'])(
      'a settlement whose confirmation was lost is booked once for the operator, with its workspace %s',
      { tags: ['once'] },
      async (workspace) => {
        const here = await startCollecting(await create(), { prompts: 2 }, (response) => {
          const removal = workspace === 'removed' ? here.run('workspace remove acme --yes') : {};
          void Promise.resolve(removal).then(() => {
            isSettling = true;
            response.end(body);
          });
        });
        let isSettling = false;
        const store = await openStore(here.url);
        onTestFinished(() => store.close());
        const ledger = await store.ledger();
        if (ledger === undefined) throw new Error('There is no ledger');
        const unconfirmed: typeof ledger = {
          ...ledger,
          write: async (work) => {
            const result = await ledger.write(work);
            if (!isSettling) return result;
            isSettling = false;
            throw new Refusal('database_unreachable', {});
          },
        };
        await collectFrom({ ...store, ledger: async () => unconfirmed });
        const period = { spent_usd: workspace === 'removed' ? 0.002 : 0.004, held_usd: 0 };
        expect(await operatorBudget(here)).toMatchObject([period, period]);
      },
    );
  },
);

eachDatabase({ title: 'collect', onBoth: true }, (create) => {
  test(
    'the cap of a month is that of a UTC month, and another month begins with nothing spent',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 3 }, answered);
      const set = await here.run('budget set --workspace acme --day 1 --month 0.013');
      expect(set.stderr).toContain('The cap of the month is lower than that of a day');
      const [last, first] = ['2026-11-30T23:59:00Z', '2026-12-01T00:01:00Z'].map(
        (at) => (): number => Date.parse(at),
      );
      const ask = async (clock = last): Promise<string> =>
        (await here.run(run, { ...(clock !== undefined && { clock }) })).stderr;
      expect(await ask(last)).toContain('The budget is used up');
      expect(here.sent).toHaveLength(2);
      expect(await ask(first)).toContain('The budget is used up');
      expect(here.sent).toHaveLength(4);
      const { stdout } = await here.run('budget show --workspace acme --json', {
        clock: first ?? (() => noon),
      });
      expect(JSON.parse(stdout).periods).toMatchObject([
        { period: '2026-12-01', spent_usd: 0.004, held_usd: 0 },
        { period: '2026-12', spent_usd: 0.004, held_usd: 0 },
      ]);
    },
  );

  test(
    'collected answers wait while an import keeps the database busy, and then become runs',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 3 }, answered);
      await here.run('budget set --workspace acme --day 0.012 --month 1');
      await here.run(run);
      await here.run('answers remove --workspace acme --engine own_api --yes');
      const store = await openStore(here.url);
      onTestFinished(() => store.close());
      const ledger = await store.ledger();
      await ledger?.db.updateTable('readings').set({ handed_at: null }).execute();
      await here.run('budget set --workspace acme --day 1 --month 1');
      let refused = 0;
      const busy: typeof store = {
        ...store,
        write: async (work) => {
          if (++refused <= 2) throw new Refusal('database_busy', {});
          return store.write(work);
        },
      };
      const done = await collectFrom(busy);
      expect(refused).toBeGreaterThan(2);
      expect(done).toMatchObject({ done: 1, runs: 3 });
    },
  );

  test(
    'an answer that costs more than its bound passes the cap by its excess, and nothing follows',
    { tags: ['once'] },
    async () => {
      const dear = { json: { ...answered.json, usage: { cost: 0.03 } } };
      const here = await startCollecting(await create(), { prompts: 4, dayUsd: 0.05 }, dear);
      expect((await here.run(run)).stderr).toContain('The budget is used up');
      expect(here.sent).toHaveLength(2);
      expect(await budget(here)).toMatchObject({ spent_usd: 0.06, held_usd: 0 });
    },
  );
});
