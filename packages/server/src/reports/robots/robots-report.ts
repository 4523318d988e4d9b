import type { HitRow } from '@overheard/contract';
import { pad } from '../../storage/chunks.ts';
import type { ReportSource } from '../report-source.ts';
import { readRobotsFiles } from '../../storage/queries/read-robots-files.ts';
import { createHistories, robotsCacheMs } from '../../values/sites/robots-history.ts';
import type { RobotsHistory, RuleJudgement } from '../../values/sites/robots-history.ts';
import { isRobotsFile } from '../../values/sites/robots-rules.ts';

type Conclusion = 'obeyed' | 'ignored' | 'not_restricted' | 'unknown';

/** Requests by what the rules of their day say of them; those for robots.txt itself are apart. */
type PermissionCounts = Record<RuleJudgement | 'robots_txt', number>;

/** What one bot did on one host. Only verified requests are its operator's: the others are anybody's. */
export interface BotConduct extends Record<HitRow['verification'], PermissionCounts> {
  readonly host: string;
  readonly bot_name: string;
  readonly bot_company: string;
  readonly category: HitRow['category'];
  conclusion: Conclusion;
  /** Whether it asked for robots.txt; null if no verified request needed it to. */
  asked: boolean | null;
  /** Whether its operator says that robots.txt may not apply to it. */
  readonly ignores_by_policy: boolean;
  /** The first verified request that was disallowed. */
  first_ignored: { readonly hit_at: string; readonly path: string } | null;
}

export interface RobotsReport {
  readonly bots: readonly BotConduct[];
  /** Requests to hosts without a stored robots.txt, or without a host in the log. */
  readonly without_file: number;
}

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
  readonly host?: string | undefined;
}

/** What is known of the bots: rows of the catalogue, or a workspace's own. */
export type RobotsBots = ReadonlyArray<{
  readonly token: string;
  /** Other tokens, whose rules it obeys if the file does not name its own. */
  readonly robotsTokens: readonly string[];
  readonly ignoresRobots: boolean;
}>;

type RobotsHit = Pick<HitRow, 'bot_name' | 'path' | 'hit_at'> & {
  readonly host: string | null;
  readonly robots_outcomes: string | null;
};
type ReportedHit = RobotsHit & { readonly id: string } & Omit<HitRow, 'method'>;

/** Hits that are in memory at a time. */
const hitsAtOnce = 5000;

/**
 * Says which bots obeyed robots.txt in a period. Hits are judged when the report is made, so the
 * order in which files and logs came does not matter.
 */
export async function reportRobots(
  source: ReportSource,
  { bots: botNames, ...period }: Period & { readonly bots: RobotsBots },
): Promise<RobotsReport> {
  const files = await readRobotsFiles(source, period.host);
  const histories = createHistories(files);
  const bots = new Map(botNames.map((bot) => [bot.token, bot]));
  const conducts = new Map<string, BotConduct>();
  const responses = createRobotsResponses();
  let withFile = 0;
  // What a bot got for robots.txt on the day before decides, too.
  const fromMs = period.fromMs - robotsCacheMs;
  for await (const hit of hitsOf(source, { ...period, fromMs, hosts: [...histories.keys()] })) {
    const { host, bot_name: name } = hit;
    responses.note(hit);
    const history = histories.get(host ?? '');
    if (host === null || history === undefined) continue;
    if (Date.parse(hit.hit_at) < period.fromMs) continue;
    withFile += 1;
    const { ignoresRobots = false, robotsTokens = [] } = bots.get(name) ?? {};
    const conduct = conducts.get(`${host} ${name}`) ?? startConduct(hit, { host, ignoresRobots });
    conducts.set(`${host} ${name}`, conduct);
    const tokens = [name, ...robotsTokens];
    count(conduct, hit, { history, tokens, robotsStatus: responses.statusFor(hit) });
  }
  return {
    bots: [...conducts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, conduct]) => conduct),
    without_file: (await countHits(source, period)) - withFile,
  };
}

/** The status that each bot last got for the robots.txt of each host, in hits in the order of time. */
function createRobotsResponses() {
  const last = new Map<string, { readonly atMs: number; readonly status: number | null }>();
  const keyOf = ({ host, bot_name: name }: ReportedHit) => `${host} ${name}`;
  return {
    note(hit: ReportedHit): void {
      // A forged request says nothing of what the bot got.
      if (!isRobotsFile(hit.path) || hit.verification !== 'verified') return;
      last.set(keyOf(hit), { atMs: Date.parse(hit.hit_at), status: hit.status });
    },
    statusFor(hit: ReportedHit): number | null {
      const response = last.get(keyOf(hit));
      const isRecent = (response?.atMs ?? -Infinity) > Date.parse(hit.hit_at) - robotsCacheMs;
      return isRecent ? (response?.status ?? null) : null;
    },
  };
}

async function countHits(source: ReportSource, period: Period): Promise<number> {
  const { hits } = await selectHits(source, period)
    .select(({ fn }) => fn.countAll<number>().as('hits'))
    .executeTakeFirstOrThrow();
  return hits;
}

function selectHits({ db, workspaceId }: ReportSource, { fromMs, toMs, host }: Period) {
  return db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .where('hit_at', '>=', new Date(fromMs).toISOString())
    .where('hit_at', '<', new Date(toMs).toISOString())
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''));
}

/** What the rules of its day say of one hit. */
export async function judgeByRobots(
  source: ReportSource,
  { hit, bots }: { hit: RobotsHit; bots: RobotsBots },
): Promise<RuleJudgement> {
  const { host, bot_name: name, path, hit_at: at, robots_outcomes: outcomes } = hit;
  if (host === null) return 'unknown';
  const atMs = Date.parse(at);
  const asked = await selectHits(source, { fromMs: atMs - robotsCacheMs, toMs: atMs, host })
    .select('status')
    .where('bot_name', '=', name)
    .where('verification', '=', 'verified')
    .where(({ or, eb }) =>
      or([eb('path', '=', '/robots.txt'), eb('path', 'like', '/robots.txt?%')]),
    )
    .orderBy('hit_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const robotsStatus = asked?.status ?? null;
  const bot = bots.find(({ token }) => token === name);
  const tokens = [name, ...(bot?.robotsTokens ?? [])];
  const history = createHistories(await readRobotsFiles(source, host)).get(host);
  return history?.judge({ tokens, path, atMs, outcomes, robotsStatus }) ?? 'unknown';
}

/** Reads the hits of some hosts in the order of time. */
export async function* hitsOf(
  source: ReportSource,
  { fromMs, hosts, ...period }: Period & { readonly hosts: readonly string[] },
): AsyncGenerator<ReportedHit> {
  if (hosts.length === 0) return;
  let after = { hit_at: new Date(fromMs).toISOString(), id: '' };
  for (;;) {
    const { hit_at: at, id } = after;
    const hits: ReportedHit[] = await selectHits(source, { ...period, fromMs: Date.parse(at) })
      .select(['id', 'host', 'bot_name', 'bot_company', 'category', 'path'])
      .select(['status', 'verification', 'hit_at', 'robots_outcomes'])
      .where('host', 'in', pad(hosts))
      .where(({ or, eb }) => or([eb('hit_at', '>', at), eb('id', '>', id)]))
      .orderBy('hit_at')
      .orderBy('id')
      .limit(hitsAtOnce)
      .execute();
    yield* hits;
    const last = hits.at(-1);
    if (last === undefined || hits.length < hitsAtOnce) return;
    after = last;
  }
}

function startConduct(
  { bot_name, bot_company, category }: ReportedHit,
  { host, ignoresRobots }: { host: string; ignoresRobots: boolean },
): BotConduct {
  const none = { allowed: 0, disallowed: 0, unclear: 0, unknown: 0, robots_txt: 0 };
  return {
    host,
    bot_name,
    bot_company,
    category,
    conclusion: 'unknown',
    asked: null,
    ignores_by_policy: ignoresRobots,
    first_ignored: null,
    verified: { ...none },
    unverified: { ...none },
    spoofed: { ...none },
  };
}

function count(
  conduct: BotConduct,
  { path, verification, hit_at, robots_outcomes: outcomes }: ReportedHit,
  {
    history,
    ...of
  }: { history: RobotsHistory; tokens: readonly string[]; robotsStatus: number | null },
): void {
  const judgement = history.judge({ ...of, path, outcomes, atMs: Date.parse(hit_at) });
  conduct[verification][isRobotsFile(path) ? 'robots_txt' : judgement]++;
  const { verified, unverified } = conduct;
  if (verified.disallowed > 0) {
    conduct.conclusion = 'ignored';
    conduct.first_ignored ??= { hit_at, path };
  } else if (verified.allowed > 0) {
    // A request in doubt may have been one of those that the file forbids.
    const obeyed = verified.unclear > 0 ? 'unknown' : 'obeyed';
    conduct.conclusion = history.restricts(of.tokens) ? obeyed : 'not_restricted';
  }
  if (verified.allowed + verified.disallowed + verified.unclear + verified.unknown === 0) return;
  // A request that could not be verified may still have been the bot's.
  conduct.asked = verified.robots_txt + unverified.robots_txt > 0;
}
