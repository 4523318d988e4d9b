import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { outcome } from '@overheard/contract';
import { marksOf } from '../../storage/counts/run-marks.ts';
import { addDays, endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import type { TallyOptions } from './tally.ts';
import type { Period } from './windows.ts';

const outcomes = outcome.exclude(['answered']);

type Outcomes = Record<z.infer<typeof outcomes>, number>;

/** For each engine, the runs of unbranded prompts that were not answered, by outcome. */
export type Unanswered = ReadonlyMap<string, Readonly<Outcomes>>;

/** Counts the runs that were not answered, a day at a time, so that the event loop is never busy for long. */
export async function countUnanswered(
  { db, workspaceId }: ReportSource,
  { from, to }: Period,
  isLeftOut: TallyOptions['isLeftOut'],
): Promise<Unanswered> {
  const counts = new Map<string, Outcomes>();
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const rows = await db
      .selectFrom('runs')
      .select(({ fn }) => [
        'engine',
        'outcome',
        'prompt_id',
        'names_competitor',
        'searched',
        fn.countAll<number>().as('runs'),
      ])
      .where('workspace_id', '=', workspaceId)
      .where('run_at', '>=', startOfDay(date))
      .where('run_at', '<', endOfDay(date))
      .where('branded', '=', false)
      .where('outcome', '<>', 'answered')
      .groupBy(['engine', 'outcome', 'prompt_id', 'names_competitor', 'searched'])
      .execute();
    for (const row of rows) {
      const { engine, outcome: stored, prompt_id: id, runs } = row;
      if (isLeftOut(id ?? '', marksOf(row))) continue;
      const ofEngine = counts.get(engine) ?? { refused: 0, empty: 0, failed: 0 };
      counts.set(engine, ofEngine);
      ofEngine[outcomes.parse(stored)] += runs;
    }
    await setImmediate();
  }
  return counts;
}
