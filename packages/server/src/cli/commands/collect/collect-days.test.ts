import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import {
  answered,
  collectFrom,
  noon,
  startCollecting,
  status,
} from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const hourMs = 3_600_000;
const run = 'collect run --workspace acme --now --at-once 1';

eachDatabase({ title: 'the day of a reading', onBoth: true }, (create, dialect) => {
  test('a reading that was not asked on its day is missed, and never asked later', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    const off = new AbortController();
    off.abort();
    await here.run(run, { signal: off.signal });
    const nextDay = (): number => noon + 12 * hourMs + 60_000;
    await here.run(run, { clock: nextDay });
    expect(here.sent).toHaveLength(2);
    const { stdout } = await here.run('collect status --workspace acme --json', { clock: nextDay });
    expect(JSON.parse(stdout).engines[0]).toMatchObject({
      // The first day had two sweeps left. The first sweep of the next day is asked.
      readings: { missed: 4, done: 2, planned: 4 },
    });
  });

  test(
    'a process whose clock is a day ahead ends no reading of the others',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 2 }, answered);
      await here.run(run, { signal: AbortSignal.abort() });
      await here.run(run, { clock: () => noon + 24 * hourMs });
      expect(here.sent).toHaveLength(2);
      await here.run(run);
      expect(here.sent).toHaveLength(4);
      expect(await status(here)).toMatchObject({ readings: { missed: 0, done: 4 } });
    },
  );

  test.runIf(dialect === 'postgres')(
    'on PostgreSQL today is the day of the database, not that of a machine whose clock is off',
    async () => {
      const here = await startCollecting(await create(), { prompts: 2 }, answered);
      const store = await openStore(here.url);
      onTestFinished(() => store.close());
      const databaseDay = async () =>
        (
          await sql<{ day: string }>`
            select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as day
          `.execute(store.reader)
        ).rows.map(({ day }) => day);
      const days = await databaseDay();
      await collectFrom(store, { clock: () => Date.now() + 72 * hourMs });
      days.push(...(await databaseDay()));
      expect(here.sent).toHaveLength(2);
      const ledger = await store.ledger();
      const readings = await ledger?.db.selectFrom('readings').select('day').distinct().execute();
      expect(readings).toHaveLength(1);
      expect(days).toContain(readings?.[0]?.day);
    },
  );
});
