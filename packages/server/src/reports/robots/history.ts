import { dayMs } from '../../values/time/utc-day.ts';
import type { ReportSource } from '../report-source.ts';
import { parseRobots } from '../../values/sites/robots-rules.ts';
import type { Permission, RobotsRules } from '../../values/sites/robots-rules.ts';

/** What the robots.txt of its time says about a request. */
export const permissions = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  unclear: 'in doubt: its query, or a copy of the file that the bot may have used, would decide',
  unknown: 'unknown: no robots.txt of the site and the time is here',
} as const satisfies Record<Permission | 'unknown', string>;

export type RuleJudgement = keyof typeof permissions;

/** A request of a bot. */
export interface RobotsRequest {
  /** The bot's token, and others whose rules it obeys if its own is not named. */
  readonly tokens: readonly string[];
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** The files of one host. */
export interface RobotsHistory {
  judge(request: RobotsRequest): RuleJudgement;
  /** Whether any of the files keeps the bot from anything. */
  restricts(tokens: readonly string[]): boolean;
}

interface Version {
  readonly fromMs: number;
  /** When it was last seen unchanged. */
  lastMs: number;
  /** Whether it was found by fetching: it came into force at any time since the one before was seen. */
  readonly isFound: boolean;
  readonly rules: RobotsRules;
}

/** A bot may use a copy that is this old (RFC 9309, 2.4). */
const cacheMs = dayMs;

/** A robots.txt from the moment on from which it was in force. */
type DatedRobots = Awaited<ReturnType<typeof readRobotsFiles>>[number];

/** The robots.txt of all hosts, or of one, oldest first. */
export async function readRobotsFiles({ db, workspaceId }: ReportSource, host?: string) {
  return db
    .selectFrom('robots_files')
    .select(['host', 'from_at as at', 'status', 'content'])
    .where('workspace_id', '=', workspaceId)
    .$if(host !== undefined, (query) => query.where('host', '=', host ?? ''))
    .orderBy('host')
    .orderBy('from_at')
    .execute();
}

/** Makes the history of a host from its files, oldest first. */
export function createHistory(files: readonly DatedRobots[]): RobotsHistory {
  const versions: Version[] = [];
  for (const [place, { at, status, content }] of files.entries()) {
    const atMs = Date.parse(at);
    const last = versions.at(-1);
    if (last !== undefined && files[place - 1]?.content === content) last.lastMs = atMs;
    else {
      const rules = parseRobots(content);
      versions.push({ fromMs: atMs, lastMs: atMs, isFound: status !== null, rules });
    }
  }
  return {
    judge,
    restricts: (tokens) => versions.some(({ rules }) => rules.restricts(tokens)),
  };

  function judge({ tokens, path, atMs }: RobotsRequest): RuleJudgement {
    const judgeBy = (version: Version | undefined) => version?.rules.judge(tokens, path);
    let place = versions.findLastIndex(({ fromMs }) => fromMs <= atMs);
    const current = versions[place];
    const judgement = judgeBy(current) ?? 'unknown';
    if (current === undefined || judgement !== 'disallowed') return judgement;
    const next = versions[place + 1];
    const isNextFound = next?.isFound === true && atMs > current.lastMs;
    if (isNextFound && judgeBy(next) !== 'disallowed') return 'unclear';
    // Every copy that the bot may still have had must agree.
    for (; (versions[place]?.fromMs ?? -Infinity) > atMs - cacheMs; place--) {
      if (judgeBy(versions[place - 1]) !== 'disallowed') return 'unclear';
    }
    return 'disallowed';
  }
}
