import { closeSync, openSync, writeSync } from 'node:fs';
import { createRandom } from '../bench.ts';
import { bots, networksOf } from './lists.ts';

/**
 * Writes a combined log of the last hours from a fixed seed: 100 user agents, about 200 bytes a line, 33
 * lines a second, one line in ten of an AI bot. Bots come from anywhere in their lists, or, if they
 * are not spread, each from one network. Returns the size in bytes.
 */
export function generateLog(
  path: string,
  lines: number,
  { isSpread }: { isSpread: boolean },
): number {
  const file = openSync(path, 'w');
  const random = createRandom(7);
  const startMs = Date.now() - Math.ceil(lines / 33) * 1000;
  let bytes = 0;
  let text = '';
  for (let index = 0; index < lines; index++) {
    text += line(startMs + Math.floor(index / 33) * 1000, { index, random, isSpread });
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
  { index, random, isSpread }: { index: number; random: () => number; isSpread: boolean },
): string {
  const bot = random() < 0.1 ? bots[Math.floor(random() * bots.length)] : undefined;
  const agent = bot?.[0] ?? person(Math.floor(random() * 95));
  const address = addressOf(bot?.[1] ?? null, { random, isSpread });
  const page = `/articles/${Math.floor(random() * 5000)}/a-page-about-something?page=${index % 7}`;
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

function person(index: number): string {
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${60 + index}.0.0.0 Safari/537.36`;
}

/** A moment as servers log it: `20/Nov/2026:12:00:00 +0000`. */
export function loggedTime(atMs: number): string {
  const [, date = '', time = ''] =
    /, (.*) (\d\d:\d\d:\d\d) GMT$/.exec(new Date(atMs).toUTCString()) ?? [];
  return `${date.replaceAll(' ', '/')}:${time} +0000`;
}
