import { listOf, placeOf, placeSeed } from './crawler-commands.ts';
import type { CommandPlace } from './crawler-commands.ts';
import type { Create } from '../stores/stores.ts';

/** The options of most commands. */
export const own = ['--workspace', 'acme'];
export const site = ['--host', 'www.acme.com', ...own];
const verified = '20.171.207.5';
/** An address that is no bot's. */
export const forged = '45.9.148.3';
export const closed = 'User-agent: GPTBot\nDisallow: /private\n';

/** A line of a log. */
export interface Line {
  readonly day: number;
  readonly path: string;
  readonly time?: string;
  readonly bot?: string;
  readonly address?: string;
  readonly status?: number;
}

function line({
  day,
  path,
  time = '12:00:00',
  bot = 'GPTBot/1.3',
  address = verified,
  status = 200,
}: Line) {
  return `www.acme.com ${address} - - [${day}/Nov/2026:${time} +0000] "GET ${path} HTTP/1.1" ${status} 5 "-" "Mozilla/5.0 (compatible; ${bot})"\n`;
}

/** A workspace with proof, in which only `verified` is an address of OpenAI's. */
const seed = placeSeed('proof and three lists', async ({ run, write, prove }) => {
  for (const day of [1, 10, 20]) {
    const at = `2026-11-${String(day).padStart(2, '0')}`;
    const path = await write('list.json', listOf(`${at}T00:00:00Z`, '20.171.207.0/24'));
    for (const list of ['openai/gptbot', 'openai/searchbot', 'openai/chatgpt-user']) {
      await run('ranges', 'import', path, '--list', list, '--fetched-at', at);
    }
  }
  await prove('2026-11-08');
});

/** The same with a log of these lines. */
export async function placeWith(create: Create, lines: readonly Line[]) {
  const place = await placeOf(await create({ seed }));
  const { run, write } = place;
  const ingest = async (read: readonly Line[]) => {
    const log = await write('a.log', read.map(line).join(''));
    await run('hits', 'ingest', log, ...own, '--no-dns', '--from-start');
  };
  await ingest(lines);
  return {
    ...place,
    ingest,
    importFile: (text: string, at: string) => importFile(place, text, at),
  };
}

async function importFile({ run, write }: CommandPlace, text: string, at: string) {
  return run('robots', 'import', await write('robots.txt', text), ...site, '--at', at);
}

export const counts = { allowed: 0, disallowed: 0, unclear: 0, unknown: 0, robots_txt: 0 };

export async function report({ run }: CommandPlace) {
  const { stdout } = await run('robots', 'report', ...own, '--json');
  return JSON.parse(stdout);
}
