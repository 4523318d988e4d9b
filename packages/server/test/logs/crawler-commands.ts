/** The commands of crawlers on one workspace, at a time that stands still. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { proveSite } from './prove-site.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import type { SeedRows } from '../stores/stores.ts';

const now = Date.parse('2026-11-21T00:00:00.000Z');
export const gptbot = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';

/** A line of a combined log at noon of a day of November 2026. */
export const logLine = (address: string, day = 20): string =>
  `${address} - - [${day}/Nov/2026:12:00:00 +0000] "GET /p?x=1 HTTP/1.1" 200 5 "-" "${gptbot}"\n`;

/** A list as operators publish them. */
export const listOf = (at: string, prefix: string): string =>
  JSON.stringify({ creationTime: at, prefixes: [{ ipv4Prefix: prefix }] });

const hitRow = z.object({
  id: z.string(),
  hit_at: z.string(),
  host: z.string().nullable(),
  address: z.string().nullable(),
  bot_name: z.string(),
  verification: z.string(),
  evidence: z.string().nullable(),
  overruled_by: z.string().nullable(),
});

export interface CommandPlace {
  run(...args: string[]): Promise<Outcome>;
  /** The same at another time. */
  runAt(atMs: number, ...args: string[]): Promise<Outcome>;
  stopped(...args: string[]): Promise<Outcome>;
  write(name: string, text: string): Promise<string>;
  /** Makes proof surround a day, 20 November unless said. */
  prove(date?: string): Promise<void>;
  hits(): Promise<Array<z.output<typeof hitRow>>>;
  /** All that a table holds, as JSON. */
  storedText(table: 'referrals'): Promise<string>;
  /** The verification and the reason of each hit, in the order of time. */
  verdicts(): Promise<string[]>;
}

/** Makes a folder for files and the workspace acme in a database. */
export async function commandPlace(database: string): Promise<CommandPlace> {
  const place = await placeOf(database);
  await place.run('workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme');
  return place;
}

/** Rows with which tests begin: the workspace acme and what `fill` does with it. */
export const placeSeed = (
  name: string,
  fill: (place: CommandPlace) => Promise<void>,
): SeedRows => ({ name, fill: async (url) => fill(await commandPlace(url)) });

/** Makes a folder for files beside a database that has the workspace acme. */
export async function placeOf(database: string): Promise<CommandPlace> {
  const folder = await makeFolder();
  const runAt = (atMs: number, ...args: string[]) =>
    runCommand([...args, '--database', database], { clock: () => atMs });
  const run = (...args: string[]) => runAt(now, ...args);
  return {
    run,
    runAt,
    stopped: (...args) =>
      runCommand([...args, '--database', database], { signal: AbortSignal.abort() }),
    write: async (name, text) => {
      const path = join(folder, name);
      await writeFile(path, text);
      return path;
    },
    prove: (date) =>
      inStore(async (store) => {
        const { id } = await store.writer
          .selectFrom('workspaces')
          .select('id')
          .executeTakeFirstOrThrow();
        await proveSite(store, id, date);
      }),
    hits,
    storedText: (table) =>
      inStore(async ({ reader }) =>
        JSON.stringify(await reader.selectFrom(table).selectAll().execute()),
      ),
    verdicts: async () =>
      (await hits()).map(({ verification, evidence, overruled_by: by }) =>
        [verification, by ?? /"reason":"(\w+)"/.exec(evidence ?? '')?.[1]].join(' '),
      ),
  };

  function hits() {
    return inStore(async ({ reader }) => {
      const rows = await reader
        .selectFrom('hits')
        .select(['id', 'hit_at', 'host', 'address', 'bot_name'])
        .select(['verification', 'evidence', 'overruled_by'])
        .orderBy('hit_at')
        .orderBy('id')
        .execute();
      return z.array(hitRow).parse(rows);
    });
  }

  async function inStore<Result>(read: (store: Store) => Promise<Result>): Promise<Result> {
    const store = await openStore(database);
    const result = await read(store);
    await store.close();
    return result;
  }
}

/** The URL of an embedded database that is not there yet. */
export async function freshSqlite(): Promise<string> {
  return `file:${join(await makeFolder(), 'x.db')}`;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-hits-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
