/** A workspace whose prompts are put to an engine on loopback. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { createEngineFetch } from '../../src/collect/ask/engine-fetch.ts';
import { collect } from '../../src/collect/collect.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { utcDay } from '../../src/values/time/utc-day.ts';
import { findWorkspace } from '../../src/workspaces/workspaces.ts';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import { startEngineServer } from './engine-server.ts';
import type { Reply } from './engine-server.ts';

export const noon: number = Date.parse('2026-11-20T12:00:00Z');

/** The key that is sent, and must be written nowhere. */
export const plantedKey = 'sk-planted-0123456789';

/** What OpenRouter responds, with a cost of its own. */
export const answered: { readonly json: object } = {
  json: {
    id: 'gen-1',
    model: 'small-1',
    choices: [{ message: { role: 'assistant', content: 'Acme is good.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.002 },
  },
};

export interface Collecting {
  readonly url: string;
  readonly baseUrl: string;
  readonly sent: ReadonlyArray<{ readonly body: unknown }>;
  readonly run: (
    line: string,
    options?: { clock?: () => number; signal?: AbortSignal; stdin?: string },
  ) => Promise<Outcome>;
}

/** A workspace with an engine of its own, prompts that are on, and a budget. */
export async function startCollecting(
  url: string,
  {
    prompts,
    dayUsd = 1,
    timeoutSeconds,
  }: { prompts: number; dayUsd?: number; timeoutSeconds?: number },
  ...replies: Reply[]
): Promise<Collecting> {
  const server = await startEngineServer(...replies);
  const here: Collecting = {
    url,
    baseUrl: `${server.url}/v1`,
    sent: server.sent,
    run: (line, { clock = () => noon, signal, stdin } = {}) =>
      runCommand([...line.split(' '), '--database', url], {
        clock,
        environment: { OWN_KEY: plantedKey, ANTHROPIC_API_KEY: plantedKey },
        mayReachPrivate: true,
        ...(signal !== undefined && { signal }),
        ...(stdin !== undefined && { stdin }),
      }),
  };
  await here.run('workspace create acme --name Acme --brand Acme');
  const rows = Array.from({ length: prompts }, (_, place) =>
    JSON.stringify({
      text: `Which CRM, for ${place}?`,
      language: 'en',
      locale: 'en-US',
      active: true,
      created_at: '2026-11-01T00:00:00Z',
    }),
  );
  await runCommand(['import', 'prompts', '-', '--workspace', 'acme', '--database', url], {
    stdin: rows.join('\n'),
  });
  await here.run('prompts collect on --all --workspace acme');
  await here.run(addEngine(here, timeoutSeconds));
  await here.run(`budget set --workspace acme --day ${dayUsd} --month 10`);
  return here;
}

/** The timeout is long, because a loaded machine must not make an answer of this machine late. */
export function addEngine({ baseUrl }: { baseUrl: string }, timeoutSeconds = 60): string {
  return `engine add own_api --base-url ${baseUrl} --model small --bound 0.01 --key-variable OWN_KEY --per-minute 60000 --timeout ${timeoutSeconds}`;
}

/**
 * Waits for the next day if this one ends within three minutes: a process has the clock of the machine,
 * and each day has questions of its own.
 */
export async function waitForLongDay(): Promise<void> {
  while (utcDay(Date.now()) !== utcDay(Date.now() + 180_000)) await setTimeout(1000);
}

/**
 * Asks what is due over a store of the test's own, one question after the other: at noon, or by the
 * store's clock if the test gives that of a machine.
 */
export async function collectFrom(
  store: Store,
  { clock }: { clock?: () => number } = {},
): ReturnType<typeof collect> {
  const atNoon: Store = { ...store, ledgerClock: async () => () => noon };
  return collect(clock === undefined ? atNoon : store, {
    workspaceId: (await findWorkspace(store.reader, 'acme')).id,
    engines: [],
    isNow: true,
    atOnce: 1,
    clock: clock ?? (() => noon),
    signal: new AbortController().signal,
    fetchFor: () => createEngineFetch({ mayReachPrivate: true }),
    environment: { OWN_KEY: plantedKey },
  });
}

export async function status(here: Collecting, engine = 'own_api'): Promise<unknown> {
  const { stdout } = await here.run('collect status --workspace acme --json');
  const { engines }: { engines: ReadonlyArray<{ engine: string }> } = JSON.parse(stdout);
  return engines.find((each) => each.engine === engine);
}

export async function budget(here: Collecting): Promise<unknown> {
  return JSON.parse((await here.run('budget show --workspace acme --json')).stdout).periods[0];
}

/** Every row of every table of a PostgreSQL database, or every byte of the files of an embedded one. */
export async function everythingStored(url: string): Promise<string> {
  if (url.startsWith('file:')) {
    const folder = dirname(url.slice('file:'.length));
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n');
  }
  const store = await openStore(url);
  try {
    const tables = await store.writer.introspection.getTables();
    const rows = tables.map(({ name }) =>
      sql`select t::text as row from ${sql.table(name)} t`.execute(store.writer),
    );
    return JSON.stringify(await Promise.all(rows));
  } finally {
    await store.close();
  }
}
