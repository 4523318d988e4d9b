import type { HitRow } from '@overheard/contract';
import { pad } from '../../storage/chunks.ts';
import type { ReportSource } from '../report-source.ts';
import { createHistory, readRobotsFiles } from './history.ts';
import type { RuleJudgement, RobotsHistory } from './history.ts';
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

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
  readonly host?: string | undefined;
}

/** What is known of the bots: rows of the catalogue, or a workspace's own. */
type RobotsBots = ReadonlyArray<{
  readonly token: string;
  /** Other tokens, whose rules it obeys if the file does not name its own. */
  readonly robotsTokens: readonly string[];
  readonly ignoresRobots: boolean;
}>;

type RobotsHit = Pick<HitRow, 'bot_name' | 'path' | 'hit_at'> & { readonly host: string | null };
type ReportedHit = RobotsHit & { readonly id: string } & Omit<HitRow, 'method' | 'status'>;

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
  const histories = new Map(
    [...Map.groupBy(files, ({ host }) => host)].map(([host, hostFiles]) => [
      host,
      createHistory(hostFiles),
    ]),
  );
  const bots = new Map(botNames.map((bot) => [bot.token, bot]));
  const conducts = new Map<string, BotConduct>();
  let withFile = 0;
  for await (const hit of hitsOf(source, { ...period, hosts: [...histories.keys()] })) {
    const { host, bot_name: name } = hit;
    const history = histories.get(host ?? '');
    if (host === null || history === undefined) continue;
    withFile += 1;
    const { ignoresRobots = false, robotsTokens = [] } = bots.get(name) ?? {};
    const conduct = conducts.get(`${host} ${name}`) ?? startConduct(hit, { host, ignoresRobots });
    conducts.set(`${host} ${name}`, conduct);
    count(conduct, hit, { history, tokens: [name, ...robotsTokens] });
  }
  return {
    bots: [...conducts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, conduct]) => conduct),
    without_file: (await countHits(source, period)) - withFile,
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
  { hit: { host, bot_name: name, path, hit_at: at }, bots }: { hit: RobotsHit; bots: RobotsBots },
): Promise<RuleJudgement> {
  const files = host === null ? [] : await readRobotsFiles(source, host);
  const bot = bots.find(({ token }) => token === name);
  const tokens = [name, ...(bot?.robotsTokens ?? [])];
  return createHistory(files).judge({ tokens, path, atMs: Date.parse(at) });
}

/** Reads the hits of hosts with a stored robots.txt. */
async function* hitsOf(
  source: ReportSource,
  { fromMs, hosts, ...period }: Period & { readonly hosts: readonly string[] },
): AsyncGenerator<ReportedHit> {
  if (hosts.length === 0) return;
  let after = { hit_at: new Date(fromMs).toISOString(), id: '' };
  for (;;) {
    const { hit_at: at, id } = after;
    const hits: ReportedHit[] = await selectHits(source, { ...period, fromMs: Date.parse(at) })
      .select(['id', 'host', 'bot_name', 'bot_company', 'category', 'path'])
      .select(['verification', 'hit_at'])
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
  { path, verification, hit_at }: ReportedHit,
  { history, tokens }: { history: RobotsHistory; tokens: readonly string[] },
): void {
  const judgement = history.judge({ tokens, path, atMs: Date.parse(hit_at) });
  conduct[verification][isRobotsFile(path) ? 'robots_txt' : judgement]++;
  const { verified, unverified } = conduct;
  if (verified.disallowed > 0) {
    conduct.conclusion = 'ignored';
    conduct.first_ignored ??= { hit_at, path };
  } else if (verified.allowed > 0) {
    // A request in doubt may have been one of those that the file forbids.
    const obeyed = verified.unclear > 0 ? 'unknown' : 'obeyed';
    conduct.conclusion = history.restricts(tokens) ? obeyed : 'not_restricted';
  }
  if (verified.allowed + verified.disallowed + verified.unclear + verified.unknown === 0) return;
  // A request that could not be verified may still have been the bot's.
  conduct.asked = verified.robots_txt + unverified.robots_txt > 0;
}
