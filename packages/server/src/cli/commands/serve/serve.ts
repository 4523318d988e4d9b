import type { Logger } from 'pino';
import { fillRollups } from '../../../answers/rollups/fill-rollups.ts';
import { buildApp } from '../../../api/app.ts';
import { drain } from '../../../api/service/shared-server.ts';
import { startCollector } from '../../../collect/collector.ts';
import type { CollectorOrder } from '../../../collect/collector.ts';
import type { PriceRow } from '../../../collect/engines/prices.ts';
import { settings } from '../../../config.ts';
import { createJobRunner } from '../../../jobs/job-runner.ts';
import { createReportReader } from '../../../web/reader/report-reader.ts';
import { hasUsers } from '../../../people/users/find-users.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import type { Store } from '../../../storage/store.ts';
import { dailyCommands, runApart, updateListsDaily } from '../../operator-lists/daily-lists.ts';
import { defineCommand } from '../../define/define-command.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import { buildWebApp } from '../../../web/app.ts';
import { findToolServer } from '../../words/assistant-snippet.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { atOnce, lastAnswerMs } from '../../collecting/at-once.ts';
import { logWork } from '../../collecting/log-work.ts';
import { makeSetUpPath } from '../user/user.ts';
import type { Io } from '../../terminal/io.ts';
import { printWords } from '../../terminal/print.ts';
import { plural } from '../../../values/plural.ts';
import { shellWord } from '../../../values/shell-word.ts';
import { refusalParts, refusalWords } from '../../words/refusals/refusal-words.ts';
import { createLog } from '../../terminal/log.ts';
import { Refusal } from '../../../refusals.ts';

/** A person at a terminal sends SIGINT and waits for the end; a load balancer sends SIGTERM. */
const interruptSeconds = 1;

const served = {
  host: settings.host,
  port: settings.port,
  quota: settings.quota,
  publicUrl: settings.publicUrl,
  trustProxy: settings.trustProxy,
  plainHttp: settings.plainHttp,
  cacheMegabytes: settings.cacheMegabytes,
  uploadMegabytes: settings.uploadMegabytes,
  drainSeconds: settings.drainSeconds,
  logLevel: settings.logLevel,
};

/** The options of a server. */
export type ServeOptions = Omit<OptionValues<typeof served>, 'publicUrl'> & {
  readonly publicUrl?: string | undefined;
};

const help = `
Every option can be set in the environment. GET /healthz, /readyz and /metrics need no key.
The log goes to stdout, one line of JSON per request. SIGTERM stops it without dropping a request.
`;

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'serve the API and the pages',
  description:
    'Serves the read-only API and the pages over the data of all workspaces, until it is stopped.',
  options: {
    database: settings.database,
    create: flag('create the database file that --database names, if there is none'),
    ...served,
    databaseConnections: settings.databaseConnections,
    updateLists: settings.updateLists,
    collect: flag('also ask engines the due readings, in a separate thread'),
    priceFile: settings.priceFile,
  },
  help,
  examples: [
    'overheard serve',
    'overheard serve --database file:/srv/overheard/overheard.db --create',
    'overheard serve --database postgres://overheard@db.internal/overheard --host 0.0.0.0',
    'overheard serve --public-url https://api.example.com --trust-proxy 10.0.0.0/8',
  ],
  run: async ({ io, sourceOf }, values) => {
    const log = createLog(io, values.logLevel);
    const prices = await readPrices(values.priceFile, io);
    const store = await openStore(values.database, {
      // Do not create a file that was named explicitly, because a mistyped name would give an empty
      // database, in which every key is unknown.
      mayCreate: values.create || sourceOf('database') === 'default',
      isServer: true,
      onCreate: (path) => io.stderr.write(`Created the database ${path}\n`),
      onDamage: (refusal) => log.error({ err: refusal }, refusalWords(refusal)),
      connectionsMax: values.databaseConnections,
      onLost: (error) => log.warn({ err: error }, 'a database connection was lost'),
    });
    const { database } = values;
    const filled = await fillRollups(store, undefined, () =>
      // Write directly to stderr, because lines of the log wait for the event loop, which this work
      // may block for minutes.
      io.stderr.write('Counting stored runs and hits again, which may take minutes\n'),
    );
    if (filled > 0) log.info({ workspaces: filled }, 'counts for reports were made');
    let collector: ReturnType<typeof startCollector> | undefined;
    const onListening = async (...urls: readonly [string, string]) => {
      await greet(io, store, ...urls);
      if (values.collect) collector = collectInThread({ database, prices }, { io, log });
      if (values.updateLists !== 'daily') return;
      const { clock, signal } = io;
      const named = sourceOf('database') === 'cli' ? values.database : undefined;
      const onFailure = (error: unknown) => log.warn({ err: error }, 'a daily update failed');
      const update = async () => {
        for (const command of await dailyCommands(store)) {
          await runApart(command, { database: named, signal }).catch(onFailure);
        }
      };
      void updateListsDaily(store, { clock, signal, update, onFailure });
    };
    try {
      await serve({ store, database, prices, log, io, options: values, onListening });
    } finally {
      await collector?.stop();
    }
  },
});

/** The process waits for a question that was sent even after the drain, because it is paid for. */
function collectInThread(
  values: Pick<CollectorOrder, 'database' | 'prices'>,
  { io, log }: { io: Io; log: Logger },
) {
  io.stopWithin?.(lastAnswerMs);
  const order = { ...values, environment: { ...io.environment }, atOnce: atOnce.default ?? 1 };
  const collector = startCollector(order, (event) => logWork(log, event));
  log.info('asking engines the due readings of every workspace that has a budget');
  io.signal.addEventListener('abort', () => {
    log.info('asking engines nothing new, and waiting for open questions, which are paid for');
    void collector.stop();
  });
  return collector;
}

interface ServeDependencies {
  readonly store: Store;
  /** The database's address, for the threads of long work. */
  readonly database: string;
  /** The operator's prices, for the pages. */
  readonly prices?: readonly PriceRow[];
  readonly log: Logger;
  readonly io: Io;
  readonly options: ServeOptions;
  /** Called with the public and the listening address once requests are accepted. */
  readonly onListening: (publicUrl: string, address: string) => Promise<void> | void;
}

/** Serves a store until `io.signal` aborts, then drains and closes both. */
export async function serve({ onListening, ...values }: ServeDependencies): Promise<void> {
  const { store, database, prices = [], log, io, options } = values;
  let publicUrl = options.publicUrl ?? '';
  const runner = createJobRunner({
    store,
    database,
    clock: io.clock,
    onFailure: (error) => log.error({ err: error }, 'a job failed'),
  });
  const reports = createReportReader({ store, database, prices, clock: io.clock });
  try {
    const shared = {
      store,
      log,
      clock: io.clock,
      publicUrl: () => publicUrl,
      quota: options.quota,
      trustProxy: options.trustProxy,
      isDraining: () => io.signal.aborted,
    };
    const web = {
      ...shared,
      ...pageSettings(io, options),
      linkCommand: () => io.asTyped(`overheard user link${addressOption(publicUrl)}`),
      runner,
      reports,
    };
    const app = await buildApp({
      ...shared,
      cacheBytes: options.cacheMegabytes * 1024 * 1024,
      pages: (forPages) => buildWebApp(web, forPages),
    });
    const { host, port } = options;
    const address = await app.listen({ host, port }).catch((error: unknown) => {
      throw listenFailure(error, options);
    });
    if (publicUrl === '') publicUrl = address;
    reports.open();
    await onListening(publicUrl, address);
    const graceMs = await stopSignal(io, options);
    await Promise.all([drain(app, { graceMs }), runner.stop({ graceMs })]);
  } finally {
    await runner.stop({ graceMs: 0 });
    await reports.stop();
    await store.close();
    await flushLog(log);
  }
}

function pageSettings(io: Io, { plainHttp, uploadMegabytes }: ServeOptions) {
  return {
    mayUsePlainHttp: plainHttp === 'allow',
    command: (words: string) => io.asTyped(words),
    toolServer: findToolServer(),
    uploadBytesMax: uploadMegabytes * 1_000_000,
    explain: refusalParts,
  };
}

/** Waits for the signal to stop. Returns for how long requests are still accepted. */
async function stopSignal(io: Io, { drainSeconds }: ServeOptions): Promise<number> {
  await waitForAbort(io.signal);
  const graceSeconds = io.signal.reason === 'SIGINT' ? interruptSeconds : drainSeconds;
  const seconds = plural(graceSeconds, 'more second');
  printWords(io, `Stopping: accepting requests for ${seconds}, then finishing open ones.`);
  return graceSeconds * 1000;
}

function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

async function greet(io: Io, store: Store, url: string, address: string): Promise<void> {
  io.stderr.write(`Overheard listens on ${address}\n`);
  // Keep serving even if the database has become unavailable again.
  const workspaces = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .limit(1)
    .execute()
    .catch(() => undefined);
  const slug = workspaces?.[0]?.slug ?? 'SLUG';
  if (workspaces?.length === 0) {
    printWords(
      io,
      'There is no workspace yet: overheard workspace create SLUG --name NAME --brand NAME',
    );
  }
  const setUp = await setUpWords(io, store, url).catch(() => undefined);
  if (setUp !== undefined) printWords(io, setUp);
  printWords(
    io,
    `Make a key:  overheard key create --workspace ${slug}${addressOption(url)}\nThen read:   curl -H "Authorization: Bearer $KEY" ${url}/api/v1/scores\nIts API:     ${url}/api/v1/openapi.json`,
  );
}

/**
 * Explains how the first person signs in. Shows the link only on a terminal, because elsewhere
 * stderr is a log.
 */
async function setUpWords(io: Io, { access }: Store, url: string): Promise<string | undefined> {
  if (await hasUsers(access)) return undefined;
  if (!io.isTerminal) return `Set up the pages: overheard user link${addressOption(url)}`;
  return `Set up the pages: ${url}${await makeSetUpPath(access, io.clock)}`;
}

/** The option that makes a command print this server's address, if it isn't the usual one. */
function addressOption(url: string): string {
  const usual = `http://${settings.host.default}:${settings.port.default}`;
  return url === usual ? '' : ` --public-url ${shellWord(url)}`;
}

function listenFailure(error: unknown, { host, port }: ServeOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new Refusal('port_unavailable', { host, port, fault: 'taken' });
  if (code === 'EACCES') {
    return new Refusal('port_unavailable', { host, port, fault: 'not_permitted' });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new Refusal('host_not_local', { host });
  }
  return error;
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
