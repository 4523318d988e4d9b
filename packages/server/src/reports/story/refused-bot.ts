import { addDays } from '../../values/time/utc-day.ts';
import { readBotDays } from '../engine-access/bot-days.ts';
import { findStories } from '../engine-access/stories.ts';
import type { ReportSource } from '../report-source.ts';
import type { Period } from '../shares/windows.ts';

/** Days before a period that show whether a bot was refused already. */
const daysBefore = 28;

/**
 * The sentence of the bot that answers depend on most of those that were let in before, and whose
 * requests are refused since a day of the period. Bots that read for training are left out.
 */
export async function readRefusedBot(
  source: ReportSource,
  { from, to }: Period,
): Promise<string | undefined> {
  const days = await readBotDays(source, { from: addDays(from, -daysBefore), to });
  const forAnswers = days.filter(({ category }) => category !== 'crawler');
  const stories = findStories(forAnswers, { until: days.at(-1)?.date ?? to, files: [] });
  return stories.find(
    ({ kind, since, bot_name: name }) =>
      kind === 'refused' &&
      since >= from &&
      forAnswers.some((day) => day.bot_name === name && day.genuine > 0 && day.date < since),
  )?.sentence;
}
