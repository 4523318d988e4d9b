import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actions, agentHits, detections, prompts, scores } from '@overheard/contract';
import { createKey } from '../../../access/keys.ts';
import { saveEngine } from '../../../collect/engine-settings.ts';
import { setAllowance } from '../../../collect/ledger/budgets.ts';
import { setLimits } from '../../../collect/ledger/paced-engines.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import { settings } from '../../../config.ts';
import type { Setting } from '../../../config.ts';
import { fillDemo } from '../../../demo/fill.ts';
import type { FilledDemo } from '../../../demo/fill.ts';
import { startReplay } from '../../../demo/replay.ts';
import { makeLink } from '../../../people/links.ts';
import { addMember } from '../../../people/members.ts';
import { insertUser } from '../../../people/users.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import type { Store } from '../../../storage/store.ts';
import { defineCommand } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import type { Io } from '../../terminal/io.ts';
import { printWords } from '../../terminal/print.ts';
import { createLog } from '../../terminal/log.ts';
import { sendWhenDue } from '../message/send-when-due.ts';
import { serveStore } from '../serve/serve-store.ts';
import { plural } from '../../../values/plural.ts';
import { shellWord } from '../../../values/shell-word.ts';

const { host, quota } = settings;
const { default: usualPort, ...portSetting } = settings.port;
const port: Setting<number | undefined> = {
  ...portSetting,
  summary: `port to listen on (default: ${usualPort}, or a free one if that is taken)`,
};

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'serve a made-up workspace',
  description:
    'Serves a made-up workspace of 56 days from a temporary database, with a key to read it, until it is stopped. Nothing is kept.',
  options: {
    host,
    port,
    quota,
    logLevel: { ...settings.logLevel, default: 'warn' },
    commands: flag('print a command for each endpoint, and how to ask its engine'),
  },
  examples: [
    'overheard demo',
    'overheard demo --port 9000',
    'overheard demo --commands',
    'overheard demo --log-level info',
    '    A line for each request.',
  ],
  run: async ({ io }, { commands: hasCommands, ...values }) => {
    const freePort = values.port ?? (await defaultPort(io, values.host));
    await inTemporaryFolder(async (folder) => {
      const url = `file:${join(folder, 'demo.db')}`;
      const store = await openStore(url, { mayCreate: true, clock: io.clock });
      const ready = await prepare(store, io);
      const log = createLog(io, values.logLevel);
      await serveStore({
        store,
        database: url,
        log,
        io,
        options: {
          ...values,
          port: freePort,
          trustProxy: [],
          plainHttp: settings.plainHttp.default,
          connectors: settings.connectors.default,
          cacheMegabytes: settings.cacheMegabytes.default,
          uploadMegabytes: settings.uploadMegabytes.default,
          spoolMegabytes: settings.spoolMegabytes.default,
          drainSeconds: 1,
        },
        onListening: (publicUrl) => {
          const { clock, signal } = io;
          const onFailure = (err: unknown) => log.warn({ err }, 'messages could not be sent');
          const privateWebhooks = settings.privateWebhooks.default ?? '';
          const sending = { publicUrl, privateWebhooks, database: url, clock, signal, onFailure };
          void sendWhenDue(store, sending);
          return greet(io, { ...ready, address: publicUrl, url, hasCommands });
        },
      });
    });
  },
});

type Ready = Awaited<ReturnType<typeof prepare>>;

/** Fills the store and makes a key. Closes the store if that fails. */
async function prepare(store: Store, { clock, signal }: Io) {
  try {
    const filled = await fillDemo(store, { clock, signal });
    const { key } = await createKey(store, {
      workspaceId: filled.workspace.id,
      name: 'demo',
      clock,
    });
    await setUpEngine(store, filled, clock);
    return { ...filled, key, linkPath: await makeGuest(store, filled, clock) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Makes a user who may do everything in the demo's workspace, and a link that signs them in. */
async function makeGuest(
  { access }: Store,
  { workspace }: FilledDemo,
  clock: () => number,
): Promise<string> {
  const email = 'demo@example.com';
  const id = await access.transaction().execute(async (db) => {
    const userId = await insertUser(db, { email, name: 'Demo', clock });
    await addMember(db, { workspaceId: workspace.id, userId, role: 'admin', clock });
    return userId;
  });
  return `/sign-in/${await makeLink(access, { user: { id, email }, userId: null, clock })}`;
}

/** An engine whose answers cost nothing. */
export const madeUpEngine = {
  kind: 'openai_compatible',
  model: 'made-up',
  keyVariable: 'OVERHEARD_DEMO_KEY',
  hasSearch: false,
  requiresSearch: false,
  searchesMax: 0,
  outputTokensMax: 1000,
  termsAcceptedBy: null,
  termsAcceptedAt: null,
};

/** Sets up an engine that answers from the demo's own answers, so that asking costs nothing. */
async function setUpEngine(
  store: Store,
  { workspace: { id: workspaceId } }: FilledDemo,
  clock: () => number,
): Promise<void> {
  const name = 'made_up_api';
  const baseUrl = await startReplay(store, workspaceId);
  await setLimits(store, name, { timeoutMs: 10_000, gapMs: 10, boundUsd: 0.02 });
  await saveEngine(store.access, { ...madeUpEngine, name, baseUrl }, clock);
  await setAllowance(
    store,
    workspaceId,
    { dayUsd: 5, monthUsd: 50, sweeps: 3 },
    { isOperator: true },
  );
  await switchPrompts(store, workspaceId, { ids: 'all', isOn: true });
}

/**
 * Prints the link on stderr and, on stdout, a complete command, ready to paste; with `hasCommands` one
 * for each endpoint.
 */
function greet(
  io: Io,
  {
    address,
    key,
    linkPath,
    counts,
    promptId,
    url,
    hasCommands,
  }: Ready & { address: string; url: string; hasCommands: boolean },
): void {
  const curl = (path: string): string =>
    `curl -sS -H 'Authorization: Bearer ${key}' '${address}${path}'`;
  printWords(
    io,
    [
      `A made-up workspace: ${plural(counts.scores, 'score')}, ${plural(counts.prompts, 'prompt')}, ${plural(counts.actions, 'action')}, ${plural(counts.hits, 'hit')}, ${plural(counts.detections, 'detection')}.`,
      `Overheard listens on ${address} and keeps nothing. Ctrl-C stops it.`,
      `The pages, in a browser: ${address}${linkPath}`,
      ...(hasCommands
        ? [
            `The key: ${key}`,
            'Ask its engine, whose answers and costs are made up, in another terminal:',
            `  overheard collect run --workspace demo --now --database ${shellWord(url)}`,
            'The API; the last command prints a row per line:',
          ]
        : ['The API, in another terminal (--commands prints one for each endpoint):']),
    ].join('\n'),
  );
  if (!hasCommands) return void io.stdout.write(`${curl(scores.path)}\n`);
  io.stdout.write(
    [
      curl(scores.path),
      curl(prompts.path),
      curl(`${actions.path}?status=open`),
      curl(agentHits.path),
      curl(detections.path),
      curl(`${detections.path}?prompt_id=${promptId}`),
      `${curl(scores.path)} | tr '{' '\\n' | head -8`,
      '',
    ].join('\n'),
  );
}

/** The usual port, or 0 for a free one if it is taken. */
async function defaultPort(io: Io, address: string): Promise<number> {
  if (await isFree(usualPort, address)) return usualPort;
  printWords(io, `Port ${usualPort} is taken: the demo takes a free one. Choose one with --port.`);
  return 0;
}

function isFree(wanted: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(!('code' in error && error.code === 'EADDRINUSE')));
    server.listen({ port: wanted, host: address, exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-demo-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Remove the files even if a second Ctrl-C ends the process at once.
  process.once('exit', remove);
  try {
    await work(folder);
  } finally {
    remove();
    process.off('exit', remove);
  }
}
