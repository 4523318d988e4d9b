import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandom } from '../bench.ts';
import { bots, networksOf } from './lists.ts';

/** What a generated log is like. */
export interface LogKind {
  /** The share of lines of AI bots, and of these the share from addresses that are not in their lists. */
  readonly bots: number;
  readonly forgeries: number;
  readonly paths: number;
  /** Whether bots come from anywhere in their lists, instead of each from one network. */
  readonly isSpread: boolean;
  /** Characters that each user agent of a person has more. */
  readonly agentLength: number;
}

export const usualLog: LogKind = {
  bots: 0.1,
  forgeries: 0,
  paths: 5000,
  isSpread: true,
  agentLength: 0,
};

/** A large site with more bots, forgers among them, and phones with long user agents. */
export const largeSiteLog: LogKind = {
  bots: 0.13,
  forgeries: 0.15,
  paths: 40_000,
  isSpread: true,
  agentLength: 120,
};

/**
 * Writes a combined log of the last hours from a fixed seed: 100 user agents, 33 lines a second, about 200
 * bytes a line. Returns the size in bytes.
 */
export function generateLog(path: string, lines: number, kind: LogKind): number {
  const file = openSync(path, 'w');
  const random = createRandom(7);
  const startMs = Date.now() - Math.ceil(lines / 33) * 1000;
  let bytes = 0;
  let text = '';
  for (let index = 0; index < lines; index++) {
    text += line(startMs + Math.floor(index / 33) * 1000, { index, random, kind });
    if (text.length > 1_000_000 || index === lines - 1) {
      bytes += writeSync(file, text);
      text = '';
    }
  }
  closeSync(file);
  return bytes;
}

const networks = new Map(
  bots.flatMap(([, list]) => (list === null ? [] : [[list, networksOf(list)]])),
);

function line(
  atMs: number,
  { index, random, kind }: { index: number; random: () => number; kind: LogKind },
): string {
  const bot = random() < kind.bots ? bots[Math.floor(random() * bots.length)] : undefined;
  const agent = bot?.[0] ?? person(Math.floor(random() * 95), kind.agentLength);
  const isForged = bot !== undefined && random() < kind.forgeries;
  const address = addressOf(isForged ? null : (bot?.[1] ?? null), { random, ...kind });
  const page = `/articles/${Math.floor(random() * kind.paths)}/a-page-about-something?page=${index % 7}`;
  return `${address} - - [${loggedTime(atMs)}] "GET ${page} HTTP/1.1" 200 ${Math.floor(random() * 90_000)} "-" "${agent}"\n`;
}

function addressOf(
  list: string | null,
  { random, isSpread }: { random: () => number; isSpread: boolean },
): string {
  const own = list === null ? undefined : networks.get(list);
  const place = isSpread ? Math.floor(random() * (own?.length ?? 0)) : 0;
  const [first = '', second = '', third = '', last = ''] = own?.[place]?.split(/[./]/) ?? [];
  if (own !== undefined)
    return `${first}.${second}.${third}.${Number(last) + Math.floor(random() * 16)}`;
  const byte = () => Math.floor(random() * 255);
  return `${180 + Math.floor(random() * 40)}.${byte()}.${byte()}.${1 + byte()}`;
}

function person(index: number, agentLength: number): string {
  const app = agentLength === 0 ? '' : ` App/${'1.2.3 '.repeat(agentLength / 6)}`;
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${60 + index}.0.0.0 Safari/537.36${app}`;
}

/** A moment as servers log it: `20/Nov/2026:12:00:00 +0000`. */
export function loggedTime(atMs: number): string {
  const [, date = '', time = ''] =
    /, (.*) (\d\d:\d\d:\d\d) GMT$/.exec(new Date(atMs).toUTCString()) ?? [];
  return `${date.replaceAll(' ', '/')}:${time} +0000`;
}
