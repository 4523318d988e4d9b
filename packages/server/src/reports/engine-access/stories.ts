import type { ReportRow } from '@overheard/contract';
import { amount, plural, thousands } from '../../values/plural.ts';
import { parseRobots } from '../../values/sites/robots-rules.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { engineOfCompany, sumOf } from './bot-days.ts';
import type { BotDay } from './bot-days.ts';
import { cadenceOf, cadenceWords } from './cadence.ts';

type StoryKind = ReportRow['crawlers'][number]['kind'];

/** Something that keeps a bot from a site, or hides whether it can read it. */
export interface Story {
  readonly kind: StoryKind;
  /** Null if it concerns all bots. */
  readonly bot_name: string | null;
  /** The UTC day on which it began. */
  readonly since: string;
  readonly requests: number;
  /** What happened and since when, as one sentence. */
  readonly sentence: string;
  /** What to do, as one sentence. */
  readonly cure: string;
}

interface Robots {
  readonly host: string;
  readonly at: string;
  readonly content: string;
}

interface Log {
  /** The last day with hits. */
  readonly until: string;
  /** The robots.txt of hosts, oldest first. */
  readonly files: readonly Robots[];
}

/** Fewer requests are no story. */
const requestsMin = 3;
const forgedMin = 50;
/** A bot that comes daily is missed after a week, one that comes weekly after four. */
const missedAfter = { daysMin: 7, usual: 4 };

/**
 * Finds what keeps bots from a site, the worst first: bots that read for answers before those that read for
 * training, and refusals before what only hides them. `days` are in order.
 */
export function findStories(days: readonly BotDay[], log: Log): readonly Story[] {
  const proxied = findProxied(days);
  const stories = [...Map.groupBy(days, ({ bot_name: name }) => name).values()].flatMap((own) => {
    const isForTraining = own[0]?.category === 'crawler';
    const blocked = findRefused(own) ?? findDisallowed(own, log) ?? findBroken(own);
    // Whoever cannot be verified since then has not gone.
    const story = blocked ?? (proxied === undefined ? findGone(own, log) : undefined);
    return [story, findForged(own, log)].flatMap((found) =>
      found === undefined ? [] : [{ story: found, isForTraining }],
    );
  });
  if (proxied !== undefined) stories.push({ story: proxied, isForTraining: false });
  const order: readonly StoryKind[] = ['refused', 'disallowed', 'broken', 'proxied', 'gone'];
  const rank = ({ story, isForTraining }: (typeof stories)[number]) =>
    story.kind === 'forged' ? 100 : (isForTraining ? 10 : 0) + order.indexOf(story.kind);
  return stories
    .toSorted(
      (left, right) => rank(left) - rank(right) || right.story.requests - left.story.requests,
    )
    .map(({ story }) => story);
}

function findRefused(days: readonly BotDay[]): Story | undefined {
  const run = lastRun(days, ({ refused, genuine }) => refused / genuine);
  if (run === undefined) return undefined;
  const { bot, since, requests } = run;
  const refused = sumOf(run.days, 'refused');
  return {
    kind: 'refused',
    bot_name: bot.bot_name,
    since,
    requests,
    sentence: `${nameOf(bot)} has been refused since ${dayWords(since)}: ${thousands(refused)} of ${amount(requests, 'request')}.`,
    cure: refusalCure(bot, {
      isLimited: sumOf(run.days, 'limited') > refused / 2,
      isCharged: sumOf(run.days, 'charged') > refused / 2,
    }),
  };
}

function refusalCure(
  { bot_name: name, bot_company: company }: BotDay,
  { isLimited, isCharged }: { isLimited: boolean; isCharged: boolean },
): string {
  if (isLimited) return `Raise the rate limit for ${name}, which gets 429.`;
  if (isCharged) return `Your CDN asks ${name} to pay (402): allow it there.`;
  return `Let ${name} through the firewall, CDN or bot protection, by the addresses that ${company} publishes.`;
}

/** A robots.txt that keeps a bot from all pages. A bot that obeys it is never refused. */
function findDisallowed(days: readonly BotDay[], { files }: Log): Story | undefined {
  const bot = days.findLast(({ genuine }) => genuine > 0);
  if (bot === undefined) return undefined;
  for (const [host, versions] of Map.groupBy(files, (file) => file.host)) {
    const isShut = versions.map(
      ({ content }) => parseRobots(content).judge([bot.bot_name], '/') === 'disallowed',
    );
    const since = versions[isShut.lastIndexOf(false) + 1]?.at.slice(0, 10);
    if (since === undefined) continue;
    return {
      kind: 'disallowed',
      bot_name: bot.bot_name,
      since,
      requests: sumOf(
        days.filter(({ date }) => date >= since),
        'genuine',
      ),
      sentence: `${nameOf(bot)} has been kept out by the robots.txt of ${host} since ${dayWords(since)}.`,
      cure: `Give ${bot.bot_name} a group of its own there: "User-agent: ${bot.bot_name}", "Allow: /" and the Disallow lines of "User-agent: *" that it should still obey.`,
    };
  }
  return undefined;
}

function findBroken(days: readonly BotDay[]): Story | undefined {
  const run = lastRun(days, ({ broken, genuine }) => broken / genuine);
  if (run === undefined) return undefined;
  const { bot, since, requests } = run;
  return {
    kind: 'broken',
    bot_name: bot.bot_name,
    since,
    requests,
    sentence: `${nameOf(bot)} has got server errors since ${dayWords(since)}: ${thousands(sumOf(run.days, 'broken'))} of ${amount(requests, 'request')}.`,
    cure: `Look at what was deployed on ${dayWords(since)}, and at the server's own log of errors.`,
  };
}

/** The log has a proxy's address in place of the client's, so no bot can be verified: since a day, or always. */
function findProxied(days: readonly BotDay[]): Story | undefined {
  const all = [...Map.groupBy(days, ({ date }) => date)].map(([date, own]) => ({
    date,
    requests: sumOf(own, 'genuine') + sumOf(own, 'unverified'),
    genuine: sumOf(own, 'genuine'),
    proxied: sumOf(own, 'proxied'),
  }));
  const last = all.findLastIndex(({ genuine, proxied }) => genuine > proxied);
  const run = all.slice(last + 1).filter(({ proxied }) => proxied > 0);
  const since = run[0]?.date;
  const proxied = sumOf(run, 'proxied');
  const requests = sumOf(run, 'requests');
  // A few requests through a proxy may be a colleague's.
  if (since === undefined || proxied < Math.max(requestsMin, requests / 2)) return undefined;
  const start = last === -1 ? 'The' : `Since ${dayWords(since)} the`;
  return {
    kind: 'proxied',
    bot_name: null,
    since,
    requests,
    sentence: `${start} log has a proxy's address in place of the bots': ${thousands(proxied)} of ${amount(requests, 'request')}, so nobody can say which are genuine.`,
    cure: "Write the client's address into the log, or read it with --trust-forwarded; then remove these requests and read their logs again.",
  };
}

function findGone(days: readonly BotDay[], { until }: Log): Story | undefined {
  const cadence = cadenceOf(days, until);
  const bot = days.findLast(({ genuine }) => genuine > 0);
  if (cadence === null || bot === undefined) return undefined;
  const { silent_days: silent, usual_days: usual, last_date: last } = cadence;
  if (silent < Math.max(missedAfter.daysMin, missedAfter.usual * usual)) return undefined;
  return {
    kind: 'gone',
    bot_name: bot.bot_name,
    since: addDays(last, 1),
    requests: sumOf(days, 'genuine'),
    sentence: `${nameOf(bot)} usually comes ${cadenceWords(cadence)} and was last seen ${plural(silent, 'day')} ago, on ${dayWords(last)}.`,
    cure: 'Check that every log is read, and that no firewall drops it before its requests are logged.',
  };
}

function findForged(days: readonly BotDay[], { until }: Log): Story | undefined {
  const week = days.filter(({ date }) => date > addDays(until, -7));
  const before = days.filter(({ date }) => date <= addDays(until, -7));
  const [forged, genuine] = [sumOf(week, 'forged'), sumOf(week, 'genuine')];
  const usual = sumOf(before.slice(-7), 'forged');
  const first = week.find((day) => day.forged > day.genuine);
  if (first === undefined || forged < Math.max(forgedMin, 3 * genuine, 3 * usual)) return undefined;
  const { bot_name: name, bot_company: company, date } = first;
  const requests = forged + genuine;
  return {
    kind: 'forged',
    bot_name: name,
    since: date,
    requests,
    sentence: `Since ${dayWords(date)} ${thousands(forged)} of ${amount(requests, 'request')} that name ${name} are forged.`,
    cure: `Refuse ${name} from all addresses but those that ${company} publishes; its own requests are not the problem.`,
  };
}

/** The last days of a bot on which at least half of its genuine requests met a fate, without a break. */
function lastRun(days: readonly BotDay[], shareOf: (day: BotDay) => number) {
  const own = days.filter(({ genuine }) => genuine > 0);
  const run = own.slice(own.findLastIndex((day) => shareOf(day) < 0.5) + 1);
  const [bot] = run;
  const requests = sumOf(run, 'genuine');
  if (bot === undefined || requests < requestsMin) return undefined;
  return { bot, since: bot.date, requests, days: run };
}

/** `OAI-SearchBot, which ChatGPT's search reads with,` */
function nameOf({ bot_name: name, bot_company: company, category }: BotDay): string {
  const engine = engineOfCompany(company);
  const purpose = {
    search: `which ${engine}'s search reads with`,
    user: `which reads pages for people who ask ${engine}`,
    crawler: `which reads for the training of ${engine}`,
  }[category];
  return `${name}, ${purpose},`;
}

const months =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** `19 November`. */
function dayWords(date: string): string {
  return `${Number(date.slice(8))} ${months[Number(date.slice(5, 7)) - 1] ?? ''}`;
}
