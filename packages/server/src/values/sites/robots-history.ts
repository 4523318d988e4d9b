import { createHash } from 'node:crypto';
import { dayMs } from '../time/utc-day.ts';
import { parseRobots } from './robots-rules.ts';
import type { Permission, RobotsRules } from './robots-rules.ts';

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
  /** What `noteOutcomes` returned when the request was read with its query; null if it was not. */
  readonly outcomes: string | null;
  /** The status with which the bot last got robots.txt in the 24 hours before; null if it is not known. */
  readonly robotsStatus: number | null;
}

/** The files of one host. */
export interface RobotsHistory {
  judge(request: RobotsRequest): RuleJudgement;
  /**
   * What the versions that the bot may have used say of a request whose query decides, as text to store:
   * `VERSION:allowed` or `VERSION:disallowed`, space-separated and in order. Null if no query decides.
   */
  noteOutcomes(
    request: Pick<RobotsRequest, 'tokens' | 'path' | 'atMs'> & { readonly target: string },
  ): string | null;
  /** Whether any of the files keeps the bot from anything. */
  restricts(tokens: readonly string[]): boolean;
}

interface Version {
  readonly fromMs: number;
  /** When it was last seen unchanged. */
  lastMs: number;
  /** Whether it was found by fetching: it came into force at any time since the one before was seen. */
  readonly isFound: boolean;
  /** The same for the same content. */
  readonly id: string;
  readonly rules: RobotsRules;
}

/** A bot may use a copy that is this old (RFC 9309, 2.4). */
export const robotsCacheMs = dayMs;

/** A robots.txt from the moment on from which it was in force. */
interface DatedRobots {
  readonly at: string;
  readonly status: number | null;
  readonly content: string;
}

/** Makes the history of each host from the files of all, oldest first. */
export function createHistories(
  files: ReadonlyArray<DatedRobots & { readonly host: string }>,
): ReadonlyMap<string, RobotsHistory> {
  const groups = Map.groupBy(files, ({ host }) => host);
  return new Map([...groups].map(([host, own]) => [host, createHistory(own)]));
}

/** Makes the history of a host from its files, oldest first. */
export function createHistory(files: readonly DatedRobots[]): RobotsHistory {
  const versions: Version[] = [];
  for (const [place, { at, status, content }] of files.entries()) {
    const atMs = Date.parse(at);
    const last = versions.at(-1);
    if (last !== undefined && files[place - 1]?.content === content) last.lastMs = atMs;
    else {
      const id = createHash('sha256').update(content).digest('base64url').slice(0, 12);
      const isFound = status !== null;
      versions.push({ fromMs: atMs, lastMs: atMs, isFound, id, rules: parseRobots(content) });
    }
  }
  return {
    judge: (request) => afterResponse(judgeByFiles(request), request.robotsStatus),
    noteOutcomes,
    restricts: (tokens) => versions.some(({ rules }) => rules.restricts(tokens)),
  };

  function judgeByFiles({ tokens, path, atMs, outcomes }: RobotsRequest): RuleJudgement {
    const judgeBy = (version: Version | undefined) =>
      version && (noted(outcomes, version.id) ?? version.rules.judge(tokens, path));
    let place = versions.findLastIndex(({ fromMs }) => fromMs <= atMs);
    const current = versions[place];
    const judgement = judgeBy(current) ?? 'unknown';
    if (current === undefined || judgement !== 'disallowed') return judgement;
    const next = versions[place + 1];
    const isNextFound = next?.isFound === true && atMs > current.lastMs;
    if (isNextFound && judgeBy(next) !== 'disallowed') return 'unclear';
    // Every copy that the bot may still have had must agree.
    for (; (versions[place]?.fromMs ?? -Infinity) > atMs - robotsCacheMs; place--) {
      if (judgeBy(versions[place - 1]) !== 'disallowed') return 'unclear';
    }
    return 'disallowed';
  }

  function noteOutcomes({
    tokens,
    path,
    target,
    atMs,
  }: Parameters<RobotsHistory['noteOutcomes']>[0]): string | null {
    const notes = versions
      .filter(({ fromMs, rules }, place) => {
        const isPast = (versions[place + 1]?.fromMs ?? Infinity) < atMs - robotsCacheMs;
        return fromMs <= atMs && !isPast && rules.judge(tokens, path) === 'unclear';
      })
      .map(({ id, rules }) => `${id}:${rules.judge(tokens, target, { isWhole: true })}`);
    return notes.length === 0 ? null : mergeNotes(notes);
  }
}

/** Both readings of one request, in whichever order they came. */
export function mergeOutcomes(left: string | null, right: string | null): string | null {
  if (left === null || right === null || left === right) return left ?? right;
  return mergeNotes([...left.split(' '), ...right.split(' ')]);
}

function mergeNotes(notes: readonly string[]): string {
  return [...new Set(notes)].toSorted().join(' ');
}

function noted(outcomes: string | null, id: string): Permission | undefined {
  const word = outcomes?.split(' ').find((note) => note.startsWith(`${id}:`));
  if (word === undefined) return undefined;
  return word.endsWith(':disallowed') ? 'disallowed' : 'allowed';
}

/**
 * A bot that was refused robots.txt may read everything. One that got a server error must read nothing,
 * unless it has a copy; Google's bots take a 429 for a server error. RFC 9309, 2.3.1
 */
function afterResponse(judgement: RuleJudgement, status: number | null): RuleJudgement {
  if (status === null || status < 400) return judgement;
  if (status < 500 && status !== 429) return 'allowed';
  return judgement === 'allowed' ? 'unclear' : judgement;
}
