import type { HitRow } from '@overheard/contract';
import { addDays } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import { readRobotsFiles } from '../../storage/queries/read-robots-files.ts';
import { engineOfCompany, readBotDays, sumOf } from './bot-days.ts';
import type { BotDay } from './bot-days.ts';
import { cadenceOf } from './cadence.ts';
import type { Cadence } from './cadence.ts';
import { findStories } from './stories.ts';
import type { Story } from './stories.ts';

/** Whether the engines whose answers cite a site can read it. Days are UTC. */
export interface EngineAccess {
  /** The last day with hits: the log may end before today. Null without hits. */
  readonly until: string | null;
  /** What is wrong, the worst first: what happened, since when, and what to do. */
  readonly stories: readonly Story[];
  /** Engines with a story first, then those most often refused. */
  readonly engines: readonly EngineRow[];
  /** Genuine requests in the seven days up to `until`. */
  readonly requests: number;
  readonly refused: number;
  /** Genuine requests of all bots and those refused, by day, for the days that have any. */
  readonly days: ReadonlyArray<Readonly<Record<'genuine' | 'refused', number>> & { date: string }>;
}

export interface EngineRow {
  /** The engine that the operator's bots read for, or the operator. */
  readonly engine: string;
  readonly bots: readonly BotAccess[];
}

/** What became of one bot's genuine requests: forged and unverified ones are not its own. */
export interface BotAccess {
  readonly bot_name: string;
  readonly bot_company: string;
  /** What it reads for: `search` and `user` for answers, `crawler` for training. */
  readonly purpose: HitRow['category'];
  /** When it last got a page. */
  readonly last_read_at: string | null;
  /** Genuine requests and those of them that were refused, in the last seven days and the seven before. */
  readonly requests: number;
  readonly refused: number;
  readonly requests_before: number;
  readonly refused_before: number;
  /** Requests of the last seven days that only pretended to be the bot's. */
  readonly forged: number;
  /** Since when most of its requests are refused; null if they are not. */
  readonly refused_since: string | null;
  /** How often it comes; null if it came on fewer than five days. */
  readonly cadence: Cadence | null;
}

/** The days that are looked at. A story that began earlier is told from its first day here. */
const windowDays = 60;
const weekDays = 7;

/** Reads whether each engine's bots could read the site in the weeks up to a day. */
export async function readEngineAccess(
  source: ReportSource,
  { to, host }: { readonly to: string; readonly host?: string | undefined },
): Promise<EngineAccess> {
  const days = await readBotDays(source, { from: addDays(to, 1 - windowDays), to, host });
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
    engines: [...engines].map(([engine, own]) => ({ engine, bots: own })),
    requests: sumOf(bots, 'requests'),
    refused: sumOf(bots, 'refused'),
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
): BotAccess {
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
    purpose: category,
    last_read_at: days.findLast(({ read_at: at }) => at !== null)?.read_at ?? null,
    requests: sumOf(week, 'genuine'),
    refused: sumOf(week, 'refused'),
    requests_before: sumOf(before, 'genuine'),
    refused_before: sumOf(before, 'refused'),
    forged: sumOf(week, 'forged'),
    refused_since: story?.since ?? null,
    cadence: cadenceOf(days, until),
  };
}

function share({ requests, refused }: Pick<BotAccess, 'requests' | 'refused'>): number {
  return requests === 0 ? 0 : refused / requests;
}
