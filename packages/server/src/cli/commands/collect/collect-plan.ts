import { listPlan } from '../../../collect/list-plan.ts';
import type { CollectPlan, PlannedReading } from '../../../collect/list-plan.ts';
import { longPromptsWords } from '../../../collect/ledger/prompts-to-ask.ts';
import { restoredTodayWords } from '../../../collect/ledger/restored-today.ts';
import { switchedOffWords } from '../../../collect/ledger/switched-off.ts';
import { settings } from '../../../config.ts';
import { amount } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { flag, number } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { tableOf } from '../../define/table-of.ts';
import { readPrices } from '../../collecting/read-prices.ts';

export const collectPlanCommand = defineWorkspaceCommand({
  name: 'plan',
  summary: 'show the next readings, with their times and costs',
  description:
    'Shows the readings of today by sweep and engine: their number, their times, and the most that they may cost. Asks nothing.',
  options: {
    days: number('days to show, today included', { min: 1, max: 31, initial: 1 }),
    priceFile: settings.priceFile,
    readings: flag('list each reading, with its prompt and its time'),
  },
  json: '{sweeps, periods, off, long_prompts, restored_at, groups:[{day, sweep, engine, readings, asked, first_at, last_at, held_usd}]}; with --readings readings:[{day, sweep, engine, prompt_id, due_at, is_asked, held_usd}] in place of groups',
  examples: [
    'overheard collect plan --workspace acme',
    'overheard collect plan --workspace acme --days 7 --readings --json',
  ],
  run: async ({ io, store, workspaceId }, { days, priceFile, readings: isSingle }) => {
    const clock = await store.ledgerClock(io.clock);
    const prices = await readPrices(priceFile, io);
    const plan = await listPlan(store, workspaceId, { days, prices, clock });
    const { readings, ...rest } = plan;
    const groups = groupsOf(readings);
    const none = 'No reading is left today. `overheard prompts collect on` switches prompts on.';
    return {
      json: isSingle ? plan : { ...rest, groups },
      table: isSingle
        ? tableOf(
            readings.toSorted((left, right) => (left.dueAt < right.dueAt ? -1 : 1)),
            none,
            {
              DUE: ({ dueAt }) => dueAt,
              SWEEP: ({ sweep }) => sweep,
              ENGINE: ({ engine }) => engine,
              PROMPT: ({ promptId }) => promptId,
              ASKED: ({ isAsked }) => (isAsked ? 'yes' : 'no'),
              HELD: ({ heldUsd }) => (heldUsd === null ? null : dollars(heldUsd)),
            },
          )
        : tableOf(groups, none, {
            DAY: ({ day }) => day,
            SWEEP: ({ sweep }) => sweep,
            ENGINE: ({ engine }) => engine,
            READINGS: ({ readings: count }) => count,
            ASKED: ({ asked }) => asked,
            FROM: ({ firstAt }) => firstAt.slice(11, 16),
            TO: ({ lastAt }) => lastAt.slice(11, 16),
            'HELD UP TO': ({ heldUsd }) => (heldUsd === null ? null : dollars(heldUsd)),
          }),
      words: [...planLines(plan), ...restoredTodayWords(plan.restoredAt, clock())],
    };
  },
});

/**
 * Groups readings by day, sweep and engine. `heldUsd` counts only readings that were not asked yet.
 */
function groupsOf(readings: readonly PlannedReading[]) {
  const groups = Map.groupBy(readings, ({ day, sweep, engine }) =>
    JSON.stringify([day, sweep, engine]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { day, sweep, engine } = first;
    const times = group.map(({ dueAt }) => dueAt).toSorted();
    return [
      {
        day,
        sweep,
        engine,
        readings: group.length,
        asked: group.filter(({ isAsked }) => isAsked).length,
        firstAt: times[0] ?? '',
        lastAt: times.at(-1) ?? '',
        heldUsd: first.heldUsd === null ? null : sumHeldUsd(group),
      },
    ];
  });
}

function sumHeldUsd(readings: readonly PlannedReading[]): number {
  const micros = readings.reduce(
    (sum, { isAsked, heldUsd }) => sum + (isAsked ? 0 : Math.round((heldUsd ?? 0) * 1e6)),
    0,
  );
  return micros / 1e6;
}

function planLines({ readings, periods, off, longPrompts }: CollectPlan): Lines {
  const [today] = periods;
  const left = readings.filter(({ isAsked, heldUsd }) => !isAsked && heldUsd !== null);
  const ofDay = left.filter(({ day }) => day === today?.period);
  const heldTotalUsd = sumHeldUsd(ofDay);
  const free = today === undefined ? 0 : today.capUsd - today.spentUsd - today.heldUsd;
  const unbounded = new Set(
    readings.flatMap(({ engine, heldUsd }) => (heldUsd === null ? [engine] : [])),
  );
  return [
    left.length === 0
      ? 'Times are UTC. No reading is left to ask.'
      : `Times are UTC. Up to ${dollars(sumHeldUsd(left))} is reserved for ${amount(left.length, 'reading')}; an answer usually costs less.`,
    heldTotalUsd > free &&
      `Today's budget has ${dollars(Math.max(0, free))} left for up to ${dollars(heldTotalUsd)}. If it is used up, the remaining readings are missed.`,
    ...[...unbounded].map(
      (engine) =>
        `${engine} is not asked, because its cost is unknown: overheard engine add ${engine} --bound USD`,
    ),
    longPromptsWords(longPrompts),
    ...off.map(({ engine, reason }) => `${engine} is ${switchedOffWords(engine, reason)}.`),
  ];
}
