import { createHash } from 'node:crypto';
import { closeSync, createWriteStream, openSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { loggedTime } from './generate-log.ts';
import { bots } from './lists.ts';

/** What clients can make of a log; each gets the same share of the lines. */
const kinds: ReadonlyArray<(index: number) => string> = [
  // A user agent of its own in each line, a bot's and a person's.
  (index) => line(index, { userAgent: `Mozilla/5.0 ${hash(index)} GPTBot/1.3` }),
  (index) => line(index, { userAgent: `Mozilla/5.0 ${hash(index)}` }),
  // An address of its own in each line.
  (index) => line(index, { address: `2001:db8${hash(index, 24).replaceAll(/.{4}/g, ':$&')}` }),
  // One address that claims to be every bot.
  (index) => line(index, { address: '203.0.113.7', userAgent: bots[index % bots.length]?.[0] }),
  // A site of its own in each line.
  (index) => `${hash(index, 10)}.example.com:443 ${line(index, {})}`,
  // An answer's visitor, on a page of its own in each line.
  (index) => line(index, { referer: 'https://chatgpt.com/', userAgent: 'Mozilla/5.0' }),
  // Bytes that are not UTF-8.
  (index) => line(index, { userAgent: `GPTBot/1.3 ${'\u00ff'.repeat(40)}${hash(index)}` }),
  // No log at all.
  (index) => `${hash(index)}\n`,
];

/** Seldom, because they are long. */
const longKinds: typeof kinds = [
  (index) => line(index, { userAgent: `GPTBot/1.3 ${hash(index)}${'y'.repeat(60_000)}` }),
  (index) => line(index, { path: `/${hash(index)}${'x'.repeat(30_000)}` }),
  // Longer than a line may be.
  (index) => line(index, { userAgent: `GPTBot/1.3 ${'y'.repeat(1_000_000)}` }),
];
const longEvery = 500;

/** Writes a combined log of the last hours that holds nothing but such lines. */
export function writeHostileLog(path: string, lines: number): void {
  const file = openSync(path, 'w');
  for (let index = 0; index < lines; index++) {
    const long = index % longEvery === 0 ? longKinds[(index / longEvery) % longKinds.length] : null;
    const write = long ?? kinds[index % kinds.length];
    writeSync(file, Buffer.from(write?.(index) ?? '', 'latin1'));
  }
  closeSync(file);
}

/** Writes a small gzip file of many blank lines. */
export async function writeBlankLines(path: string, lines: number): Promise<void> {
  const blank = Buffer.alloc(1_000_000, '\n');
  const chunks = Array.from({ length: Math.ceil(lines / blank.length) }, () => blank);
  await pipeline(Readable.from(chunks), createGzip({ level: 1 }), createWriteStream(path));
}

function line(
  index: number,
  {
    address = '198.51.100.7',
    path = `/${hash(index)}`,
    referer = '-',
    userAgent = 'GPTBot/1.3',
  }: { address?: string; path?: string; referer?: string; userAgent?: string | undefined },
): string {
  const logged = loggedTime(Date.now() - 86_400_000 + index * 10);
  return `${address} - - [${logged}] "GET ${path} HTTP/1.1" 200 5 "${referer}" "${userAgent}"\n`;
}

/** The same text without a pattern for the same number. */
function hash(index: number, length = 40): string {
  return createHash('sha1').update(String(index)).digest('hex').slice(0, length);
}
