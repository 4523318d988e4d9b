import { expect, onTestFinished, test } from 'vitest';
import { addEngine, answered, noon, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const plan = 'collect plan --workspace acme';
const hourMs = 3_600_000;

async function shown(here: Collecting, options = '--days 1') {
  return JSON.parse((await here.run(`${plan} ${options} --json`)).stdout);
}

eachDatabase('collect plan', (create) => {
  test('collect plan shows the sweeps that are left today with the money they hold, and writes nothing', async () => {
    const here = await startCollecting(await create(), { prompts: 3, dayUsd: 0.05 }, answered);
    const { stdout, stderr } = await here.run(plan);
    // It is noon: the second sweep of three is under way.
    expect(stdout).toMatch(/2026-11-20 +2 +own_api +3 +0 +\d\d:\d\d +\d\d:\d\d +\$0\.0300/);
    expect(stdout).toMatch(/2026-11-20 +3 +own_api +3 +0 /);
    expect(stdout).not.toMatch(/2026-11-20 +1 /);
    expect(stderr).toContain('Up to $0.0600 is reserved for 6 readings');
    expect(stderr).toContain("Today's budget has $0.0500 left for up to $0.0600");
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const ledger = await store.ledger();
    expect(await ledger?.db.selectFrom('readings').selectAll().execute()).toEqual([]);
    expect(here.sent).toHaveLength(0);
  });

  test('collect plan lists each reading at the time at which it is really asked', async () => {
    const here = await startCollecting(await create(), { prompts: 3 }, answered);
    const { readings } = await shown(here, '--readings');
    expect(readings).toHaveLength(6);
    const dues: number[] = readings.map(({ due_at: at }: { due_at: string }) => Date.parse(at));
    const run = 'collect run --workspace acme --at-once 1';
    for (const atMs of [noon, noon + 3 * hourMs, noon + 6 * hourMs, noon + 12 * hourMs - 2000]) {
      await here.run(run, { clock: () => atMs });
      expect(here.sent).toHaveLength(dues.filter((due) => due <= atMs).length);
    }
    expect((await here.run(plan)).stderr).toContain('No reading is left to ask.');
    const again = await shown(here);
    expect(
      again.groups.map(({ asked, held_usd: held }: Record<string, number>) => [asked, held]),
    ).toEqual([
      [3, 0],
      [3, 0],
    ]);
  });

  test('collect plan covers several days, and names the engines that are not asked', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    await here.run(addEngine(here).replace('own_api', 'free_api').replace(' --bound 0.01', ''));
    await here.run(addEngine(here).replace('own_api', 'gone_api'));
    await here.run('engine disable gone_api');
    const { groups, off } = await shown(here, '--days 2');
    const own = groups.filter(({ engine }: { engine: string }) => engine === 'own_api');
    expect(own.map(({ day, sweep }: { day: string; sweep: number }) => `${day} ${sweep}`)).toEqual([
      '2026-11-20 2',
      '2026-11-20 3',
      '2026-11-21 1',
      '2026-11-21 2',
      '2026-11-21 3',
    ]);
    expect(off).toEqual([{ engine: 'gone_api', reason: 'disabled' }]);
    const { stderr } = await here.run(plan);
    expect(stderr).toContain('free_api is not asked, because its cost is unknown');
  });
});

const day = 'collect run --workspace acme --at-once 1';
const lastMs = noon + 12 * hourMs - 1000;

function setSchedule(here: Collecting, sweeps: number): Promise<unknown> {
  return here.run(`budget set --workspace acme --day 5 --month 10 --sweeps ${sweeps}`);
}

eachDatabase('a changed schedule', (create) => {
  test.for([
    [3, 1],
    [1, 3],
  ] as const)(
    'after %i readings a day become %i, the rest of the day asks what the plan lists, and no more',
    async ([before, after]) => {
      const here = await startCollecting(await create(), { prompts: 2 }, answered);
      await setSchedule(here, before);
      for (const atMs of [noon - 12 * hourMs, noon - 2.5 * hourMs]) {
        await here.run(`${day} --now`, { clock: () => atMs });
      }
      const asked = here.sent.length;
      await setSchedule(here, after);
      const { groups } = JSON.parse(
        (await here.run(`${plan} --json`, { clock: () => noon - 2.4 * hourMs })).stdout,
      );
      const left = groups.reduce(
        (sum: number, group: Record<string, number>) =>
          sum + (group['readings'] ?? 0) - (group['asked'] ?? 0),
        0,
      );
      for (let atMs = noon - 2.4 * hourMs; atMs < lastMs; atMs += 1.5 * hourMs) {
        await here.run(day, { clock: () => atMs });
      }
      await here.run(`${day} --now`, { clock: () => lastMs });
      expect(here.sent.length - asked).toBe(left);
      expect(left > 0).toBe(before < after);
      expect((await here.run(plan, { clock: () => lastMs })).stderr).toContain(
        'No reading is left',
      );
    },
  );

  test('a schedule that is lowered while questions are asked ends the other sweeps, which are skipped', async () => {
    const here: Collecting = await startCollecting(await create(), { prompts: 2 }, (response) => {
      const lowered = here.sent.length === 1 ? setSchedule(here, 1) : Promise.resolve();
      void lowered.then(() => response.end(JSON.stringify(answered.json)));
    });
    await here.run(day, { clock: () => noon - 12 * hourMs });
    // All readings of the three sweeps are due, and asked in any order.
    await here.run(day, { clock: () => lastMs });
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const ledger = await store.ledger();
    const rows = (await ledger?.db.selectFrom('readings').selectAll().execute()) ?? [];
    const endsOf = (isLeft: boolean) =>
      rows.filter(({ sweep }) => (sweep === 0) === isLeft).map(({ state }) => state);
    expect(endsOf(true)).toEqual(['done', 'done']);
    // At most the one that was open when the schedule was lowered.
    expect(endsOf(false).filter((state) => state === 'done').length).toBeLessThan(2);
    expect(endsOf(false).filter((state) => state === 'skipped')).toHaveLength(
      rows.length - here.sent.length,
    );
  });

  test.for([
    ['after its second sweep', noon, 6],
    ['in its first sweep', noon - 11 * hourMs, 4],
  ] as const)(
    'a schedule that is lowered %s and raised in the third asks the sweeps that are left, once each',
    async ([, loweredMs, questions]) => {
      const here = await startCollecting(await create(), { prompts: 2 }, answered);
      await here.run(`${day} --now`, { clock: () => noon - 12 * hourMs });
      await here.run(`${day} --now`, { clock: () => loweredMs });
      await setSchedule(here, 1);
      await here.run(day, { clock: () => loweredMs });
      await setSchedule(here, 3);
      await here.run(`${day} --now`, { clock: () => noon + 5 * hourMs });
      await here.run(`${day} --now`, { clock: () => lastMs });
      expect(here.sent).toHaveLength(questions);
    },
  );
});

eachDatabase('a prompt that is switched on', (create) => {
  const minuteMs = 60_000;

  test('a new prompt is asked within ten minutes, as the running sweep, and others at their time', async () => {
    const here = await startCollecting(await create(), { prompts: 40 }, answered);
    await here.run(day, { clock: () => noon - 36 * hourMs });
    await here.run(day, { clock: () => noon - 12 * hourMs });
    await here.run(day);
    const before = here.sent.length;
    // Some readings of the second sweep are left for the next four hours.
    expect(before).toBeLessThan(80);
    await here.run('prompts add Which_new_one? --workspace acme');
    await here.run('prompts collect on --all --workspace acme');
    await here.run(day, { clock: () => noon + minuteMs });
    await here.run(day, { clock: () => noon + 10 * minuteMs });
    const asked = here.sent.slice(before).map(({ body }) => JSON.stringify(body));
    expect(asked.filter((body) => body.includes('Which_new_one?'))).toHaveLength(1);
    expect(asked.length).toBeLessThan(81 - before);
  });

  test('a prompt that is switched off and on again is not asked again in the same sweep', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    await here.run(day);
    await here.run(day, { clock: () => noon + 10 * minuteMs });
    expect(here.sent).toHaveLength(1);
    for (const state of ['off', 'on']) {
      await here.run(`prompts collect ${state} --all --workspace acme`);
      await here.run(day, { clock: () => noon + 20 * minuteMs });
    }
    expect(here.sent).toHaveLength(1);
  });

  test('after a restore a new prompt is asked from the next sweep on', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    await here.run('database restored', { clock: () => noon });
    for (const minutes of [1, 10, 239]) {
      await here.run(day, { clock: () => noon + minutes * minuteMs });
    }
    expect(here.sent).toHaveLength(0);
    await here.run(`${day} --now`, { clock: () => noon + 241 * minuteMs });
    expect(here.sent).toHaveLength(1);
  });
});
