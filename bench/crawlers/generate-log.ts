import { closeSync, openSync, writeSync } from 'node:fs';
import { bots, networksOf } from './lists.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** One in this many lines is an AI bot's. */
export interface LogShape {
  readonly botShare: number;
  /** Whether bots come from all networks of their lists, or each from one address in turn. */
  readonly isSpread: boolean;
}

/** As sites see it: bots come from anywhere in their lists, and seldom. */
export const realistic: LogShape = { botShare: 0.1, isSpread: true };
/** Few addresses, so that everything that is remembered helps. */
export const kind: LogShape = { botShare: 0.1, isSpread: false };

/**
 * Writes a combined log of the last hours from a fixed seed: 100 user agents, about 200 bytes a line, 33
 * lines a second. Returns its size in bytes.
 */
export function generateLog(path: string, lines: number, shape: LogShape = realistic): number {
  const file = openSync(path, 'w');
  const random = createRandom(7);
  const startMs = Date.now() - Math.ceil(lines / 33) * 1000;
  let bytes = 0;
  let text = '';
  for (let index = 0; index < lines; index++) {
    text += line(startMs + Math.floor(index / 33) * 1000, { index, random, shape });
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
  { index, random, shape }: { index: number; random: () => number; shape: LogShape },
): string {
  const at = new Date(atMs);
  const time = `${two(at.getUTCDate())}/${months[at.getUTCMonth()] ?? ''}/${at.getUTCFullYear()}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`;
  const bot = random() < shape.botShare ? bots[Math.floor(random() * bots.length)] : undefined;
  const agent = bot?.[0] ?? person(Math.floor(random() * 95));
  const address = addressOf(bot?.[1] ?? null, { random, shape });
  const page = `/articles/${Math.floor(random() * 5000)}/a-page-about-something?page=${index % 7}`;
  return `${address} - - [${time}] "GET ${page} HTTP/1.1" 200 ${Math.floor(random() * 90_000)} "-" "${agent}"\n`;
}

function addressOf(
  list: string | null,
  { random, shape }: { random: () => number; shape: LogShape },
): string {
  const own = list === null ? undefined : networks.get(list);
  const place = shape.isSpread ? Math.floor(random() * (own?.length ?? 0)) : 0;
  const [first = '', second = '', third = '', last = ''] = own?.[place]?.split(/[./]/) ?? [];
  if (own !== undefined)
    return `${first}.${second}.${third}.${Number(last) + Math.floor(random() * 16)}`;
  const byte = () => Math.floor(random() * 255);
  return `${180 + Math.floor(random() * 40)}.${byte()}.${byte()}.${1 + byte()}`;
}

function person(index: number): string {
  return `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${60 + index}.0.0.0 Safari/537.36`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Mulberry32: the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
