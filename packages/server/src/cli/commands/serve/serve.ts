import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { startCollector } from '../../../collect/collector.ts';
import type { CollectorOrder } from '../../../collect/collector.ts';
import { readAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { settings } from '../../../config.ts';
import { addDailyJobs } from '../../../jobs/add-daily-jobs.ts';
import { workspacesToJudge } from '../../../jobs/workspaces-to-judge.ts';
import type { JobRunner } from '../../../jobs/job-runner.ts';
import type { Store } from '../../../storage/store.ts';
import { dueBackups, growthOf, lastBackupMs, refuseKeeping } from '../backup/kept-backups.ts';
import {
  areListsDue,
  dailyCommands,
  lookHourly,
  runApart,
} from '../../operator-lists/daily-lists.ts';
import { defineCommand } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { atOnce } from '../../collecting/at-once.ts';
import { lastAnswerMs } from '../../collecting/asking-options.ts';
import { logWork } from '../../collecting/log-work.ts';
import type { Io } from '../../terminal/io.ts';
import { Refusal, refusalWords } from '../../../refusals.ts';
import { dayMs } from '../../../values/time/utc-day.ts';
import { createLog } from '../../terminal/log.ts';
import { printWords } from '../../terminal/print.ts';
import { sendWhenDue } from '../message/send-when-due.ts';
import { greet } from './greet.ts';
import { openWhenReady } from './open-when-ready.ts';
import { serverOptions, serveStore } from './serve-store.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import { listenWhileStarting } from './starting.ts';

const help = `
Every option can be set in the environment. GET /healthz, /readyz and /metrics need no key.
It listens at once: until the database is open and upgraded, /readyz says with 503 what it does.
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
    waitForDatabase: flag('wait for a database that is not there yet, instead of ending'),
    ...serverOptions,
    databaseConnections: settings.databaseConnections,
    updateLists: settings.updateLists,
    backups: settings.backups,
    privateWebhooks: settings.privateWebhooks,
    smtp: settings.smtp,
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
    for (const words of misspeltSettings(io.environment)) printWords(io, words);
    const prices = await readPrices(values.priceFile, io);
    const { backups } = values;
    if (backups !== undefined) await refuseKeeping(backups, values.database);
    if (values.smtp !== undefined) await refuseMailServer(values.smtp);
    const starting = await listenWhileStarting(values);
    const storeOptions = {
      // Do not create a file that was named explicitly, because a mistyped name would give an empty
      // database, in which every key is unknown.
      mayCreate: values.create || sourceOf('database') === 'default',
      isServer: true,
      onCreate: (path: string) => io.stderr.write(`Created the database ${path}\n`),
      onDamage: (refusal: Refusal) => log.error({ err: refusal }, refusalWords(refusal)),
      connectionsMax: values.databaseConnections,
      onLost: (error: Error) => log.warn({ err: error }, 'a database connection was lost'),
      upgradeFolder: backups,
    };
    const { database } = values;
    const store = await openWhenReady({
      database,
      waits: values.waitForDatabase,
      storeOptions,
      onWork: (sentence, details = '') => {
        starting.say(sentence);
        printWords(io, `${sentence} ${details}`.trim());
      },
      signal: io.signal,
    }).catch((error: unknown) => {
      starting.close();
      throw error;
    });
    if (store === undefined) return starting.close();
    const asking = new AbortController();
    let collecting: Promise<void> | undefined;
    const onListening = async (publicUrl: string, address: string, runner: JobRunner) => {
      await greet(io, store, publicUrl, address);
      const { clock, signal } = io;
      const collected = new Set<string>();
      collecting = collectWhileOn(store, {
        isAlwaysOn: values.collect,
        start: () => collectInThread({ database, prices }, { io, log, collected }),
        signal: AbortSignal.any([signal, asking.signal]),
        onFailure: (error) => log.warn({ err: error }, 'the switch of asking could not be read'),
      });
      void addDailyJobs(store, {
        runner,
        collected,
        judgedDaily: () => workspacesToJudge(store),
        clock,
        signal,
        onFailure: (error) => log.warn({ err: error }, 'a daily job could not begin'),
      });
      const named = sourceOf('database') === 'cli' ? values.database : undefined;
      const onFailure = (error: unknown) =>
        log.warn({ err: error }, 'work beside the server failed');
      const run = (command: readonly string[], timeoutMs?: number) =>
        runApart(command, { database: named, signal, timeoutMs }).catch(onFailure);
      const update = async () => {
        if (!(await areListsDue(store, clock()))) return;
        for (const command of await dailyCommands(store)) await run(command);
      };
      const backUp = async (folder: string) => {
        for (const name of dueBackups({ folder, database, nowMs: clock() })) {
          // A large database takes its time.
          await run(['backup', '--force', join(folder, name)], dayMs);
        }
      };
      if (values.updateLists === 'daily') void lookHourly(update, { signal, onFailure });
      const { privateWebhooks } = values;
      const beside = { signal, onFailure };
      // Before an alert could miss the first backup.
      const waitMs = { first: 5000 };
      if (backups !== undefined) void lookHourly(() => backUp(backups), { ...beside, waitMs });
      const sending = { publicUrl, privateWebhooks, backups, database: named, clock, ...beside };
      void sendWhenDue(store, sending);
    };
    try {
      await serveStore({
        store,
        database,
        prices,
        log,
        io,
        options: { ...values, port: starting.port },
        ...(backups !== undefined && {
          lastBackupMs: async () => lastBackupMs({ folder: backups, database, nowMs: io.clock() }),
          growth: async () => growthOf({ folder: backups, database, nowMs: io.clock() }),
        }),
        beforeListening: starting.close,
        onListening,
      });
    } finally {
      starting.close();
      asking.abort();
      await collecting;
    }
  },
});

/** Throws a `Refusal` for a malformed address, without repeating it, because it has a password. */
async function refuseMailServer(server: string): Promise<void> {
  const { parseMailServer } = await import('../message/send-mail.ts');
  if (parseMailServer(server) === undefined) throw new Refusal('smtp_invalid', {});
}

/** How often a server looks whether a person has switched asking on or off. */
const switchEveryMs = 5000;

/** Runs a collector while asking is switched on, until the signal aborts. */
async function collectWhileOn(
  store: Store,
  {
    isAlwaysOn,
    start,
    signal,
    onFailure,
  }: {
    isAlwaysOn: boolean;
    start: () => ReturnType<typeof startCollector>;
    signal: AbortSignal;
    onFailure: (error: unknown) => void;
  },
): Promise<void> {
  let collector = isAlwaysOn ? start() : undefined;
  let hasFailed = false;
  const { promise: aborted, resolve: abort } = Promise.withResolvers<null>();
  signal.addEventListener('abort', () => abort(null));
  while (!signal.aborted) {
    try {
      // Do not wait for a frozen database once the server stops.
      const reading = isAlwaysOn ? aborted : readAskingSwitch(store);
      reading.catch(() => {});
      const isOn = (await Promise.race([reading, aborted])) !== null;
      if (signal.aborted) break;
      hasFailed = false;
      if (isOn) collector ??= start();
      else {
        await collector?.stop();
        collector = undefined;
      }
    } catch (error) {
      if (!hasFailed && !signal.aborted) onFailure(store.mapFailure(error));
      hasFailed = true;
    }
    await sleep(switchEveryMs, undefined, { signal, ref: false }).catch(() => {});
  }
  await collector?.stop();
}

/** The process waits for a question that was sent even after the drain, because it is paid for. */
function collectInThread(
  values: Pick<CollectorOrder, 'database' | 'prices'>,
  { io, log, collected }: { io: Io; log: Logger; collected: Set<string> },
) {
  io.stopWithin?.(lastAnswerMs);
  const order = { ...values, environment: { ...io.environment }, atOnce: atOnce.default ?? 1 };
  const collector = startCollector(order, (event) => {
    logWork(log, event);
    if ('counts' in event && event.counts.runs > 0) collected.add(event.workspaceId);
  });
  log.info('asking engines the due readings of every workspace that has a budget');
  let stopping: Promise<void> | undefined;
  return { stop: () => (stopping ??= stop()) };

  function stop(): Promise<void> {
    log.info('asking engines nothing new, and waiting for open questions, which are paid for');
    return collector.stop();
  }
}
