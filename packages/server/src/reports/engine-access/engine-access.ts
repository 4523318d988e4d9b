import { addDays } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import { readRobotsFiles } from '../../storage/queries/read-robots-files.ts';
import { engineOfCompany, readBotDays, sumOf } from './bot-days.ts';
import type { BotDay } from './bot-days.ts';
import { cadenceOf } from './cadence.ts';
import { findStories } from './stories.ts';
import type { Story } from './stories.ts';

/** Whether the engines whose answers cite a site can read it. Days are UTC. */
export type EngineAccess = Awaited<ReturnType<typeof readEngineAccess>>;

export type EngineRow = EngineAccess['engines'][number];

/** What became of one bot's genuine requests: forged and unverified ones are not its own. */
export type BotAccess = ReturnType<typeof botAccess>;

/** The days that are looked at. A story that began earlier is told from its first day here. */
const windowDays = 60;
const weekDays = 7;

/** Reads whether each engine's bots could read the site in the weeks up to a day. */
export async function readEngineAccess(
  source: ReportSource,
  { to, host }: { readonly to: string; readonly host?: string | undefined },
) {
  const days = await readBotDays(source, { from: addDays(to, 1 - windowDays), to, host });
  /** The last day with hits: the log may end before today. Null without hits. */
  const until = days.at(-1)?.date ?? null;
  if (until === null) return { until, stories: [], engines: [], requests: 0, refused: 0, days: [] };
  const stories = findStories(days, { until, files: await readRobotsFiles(source, host) });
  const bots = [...Map.groupBy(days, ({ bot_name: name }) => name).values()]
    .filter((own) => own.some(({ genuine }) => genuine > 0))
    .map((own) => botAccess(own, { until, stories }));
  const rankOf = (name: string) => {
    const place = stories.findIndex(({ bot_name: told }) => told === name);
    return place === -1 ? stories.length : place;
  };
  const worst = bots.toSorted(
    (left, right) =>
      rankOf(left.bot_name) - rankOf(right.bot_name) ||
      share(right) - share(left) ||
      right.requests - left.requests ||
      (left.bot_name < right.bot_name ? -1 : 1),
  );
  const engines = Map.groupBy(worst, ({ bot_company: company }) => engineOfCompany(company));
  return {
    until,
    stories,
    /** Engines with a story first, then those most often refused. */
    engines: [...engines].map(([engine, own]) => ({ engine, bots: own })),
    /** Genuine requests in the seven days up to `until`. */
    requests: sumOf(bots, 'requests'),
    refused: sumOf(bots, 'refused'),
    /** Genuine requests of all bots and those refused, by day, for the days that have any. */
    days: [...Map.groupBy(days, ({ date }) => date)].map(([date, own]) => ({
      date,
      genuine: sumOf(own, 'genuine'),
      refused: sumOf(own, 'refused'),
    })),
  };
}

function botAccess(
  days: readonly BotDay[],
  { until, stories }: { until: string; stories: readonly Story[] },
) {
  const [first] = days;
  if (first === undefined) throw new RangeError('A bot without days');
  const weekFrom = addDays(until, 1 - weekDays);
  const beforeFrom = addDays(weekFrom, -weekDays);
  const week = days.filter(({ date }) => date >= weekFrom);
  const before = days.filter(({ date }) => date >= beforeFrom && date < weekFrom);
  const { bot_name, bot_company, category } = first;
  const story = stories.find((each) => each.kind === 'refused' && each.bot_name === bot_name);
  return {
    bot_name,
    bot_company,
    /** What it reads for: `search` and `user` for answers, `crawler` for training. */
    purpose: category,
    /** When it last got a page. */
    last_read_at: days.findLast(({ read_at: at }) => at !== null)?.read_at ?? null,
    /** Genuine requests and those of them that were refused, in the last seven days and the seven before. */
    requests: sumOf(week, 'genuine'),
    refused: sumOf(week, 'refused'),
    requests_before: sumOf(before, 'genuine'),
    refused_before: sumOf(before, 'refused'),
    /** Requests of the last seven days that only pretended to be the bot's. */
    forged: sumOf(week, 'forged'),
    /** Since when most of its requests are refused; null if they are not. */
    refused_since: story?.since ?? null,
    /** How often it comes; null if it came on fewer than five days. */
    cadence: cadenceOf(days, until),
  };
}

function share({ requests, refused }: Pick<BotAccess, 'requests' | 'refused'>): number {
  return requests === 0 ? 0 : refused / requests;
}
