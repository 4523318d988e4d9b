import { once } from 'node:events';
import type { Growth } from '../../../reports/operator-facts.ts';
import type { Logger } from 'pino';
import { buildApp } from '../../../api/app.ts';
import { drain } from '../../../api/service/shared-server.ts';
import { findClosedKeys } from '../../../collect/keys/engine-key.ts';
import type { Environment } from '../../../collect/keys/secret-variable.ts';
import type { PriceRow } from '../../../collect/engines/prices.ts';
import { settings } from '../../../config.ts';
import { createJobRunner } from '../../../jobs/job-runner.ts';
import type { JobRunner } from '../../../jobs/job-runner.ts';
import { connectorAddress } from '../../../people/connectors/address.ts';
import type { DocumentFetch } from '../../../people/connectors/client-documents.ts';
import { buildReachApp } from '../../../reach/app.ts';
import { createReportReader } from '../../../web/reader/report-reader.ts';
import type { Store } from '../../../storage/store.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { buildWebApp } from '../../../web/app.ts';
import { findToolServer } from '../../words/assistant-snippet.ts';
import { atOnce } from '../../collecting/at-once.ts';
import { lastAnswerMs } from '../../collecting/asking-options.ts';
import type { Io } from '../../terminal/io.ts';
import { printWords } from '../../terminal/print.ts';
import { plural } from '../../../values/plural.ts';
import { addressOption } from './greet.ts';
import { openReceiving } from './receiving.ts';
import { listenFailure } from './starting.ts';

/** A person at a terminal sends SIGINT and waits for the end; a load balancer sends SIGTERM. */
const interruptSeconds = 1;

/** The settings that become options of a server. */
export const serverOptions = {
  host: settings.host,
  port: settings.port,
  quota: settings.quota,
  publicUrl: settings.publicUrl,
  trustProxy: settings.trustProxy,
  plainHttp: settings.plainHttp,
  connectors: settings.connectors,
  cacheMegabytes: settings.cacheMegabytes,
  uploadMegabytes: settings.uploadMegabytes,
  spool: settings.spool,
  spoolMegabytes: settings.spoolMegabytes,
  drainSeconds: settings.drainSeconds,
  logLevel: settings.logLevel,
};

/** The options of a server. */
export type ServeOptions = Omit<OptionValues<typeof serverOptions>, 'publicUrl' | 'spool'> & {
  readonly spool?: string | undefined;
  readonly publicUrl?: string | undefined;
};

interface ServeDependencies {
  readonly store: Store;
  /** The database's address, for the threads of long work. */
  readonly database: string;
  /** The operator's prices, for the pages and for what they ask. */
  readonly prices?: readonly PriceRow[];
  readonly log: Logger;
  readonly io: Io;
  readonly options: ServeOptions;
  readonly lastBackupMs?: (() => Promise<number | undefined>) | undefined;
  readonly growth?: (() => Promise<Growth | undefined>) | undefined;
  /** Called just before the server listens, to free its port. */
  readonly beforeListening?: () => void;
  /** Called with the public and the listening address once requests are accepted. */
  readonly onListening: (
    publicUrl: string,
    address: string,
    runner: JobRunner,
  ) => Promise<void> | void;
}

/** Serves a store until `io.signal` aborts, then drains and closes both. */
export async function serveStore({
  lastBackupMs,
  growth,
  beforeListening,
  onListening,
  ...values
}: ServeDependencies): Promise<void> {
  const { store, database, prices = [], log, io, options } = values;
  let publicUrl = options.publicUrl ?? '';
  const runner = createJobRunner({
    store,
    database,
    asking: { environment: { ...io.environment }, atOnce: atOnce.default ?? 1, prices },
    onAsk: () => io.stopWithin?.(lastAnswerMs),
    clock: io.clock,
    onFailure: (error) => log.error({ err: error }, 'a job failed'),
  });
  const { clock } = io;
  const receiving = await openReceiving({ store, database, options, clock, log });
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
      connectors: options.connectors,
      lastBackupMs,
      failures: [],
      waitingBytes: receiving.waitingBytes,
    };
    const web = {
      ...shared,
      growth,
      ...pageSettings(io, options),
      environment: { ...io.environment },
      prices,
      linkCommand: () => io.asTyped(`overheard user link${addressOption(publicUrl)}`),
      fetchDocument,
      runner,
      reports,
    };
    const cacheBytes = options.cacheMegabytes * 1024 * 1024;
    const app = await buildApp({
      ...shared,
      warnings: () => closedKeyWords(store, web.environment),
      readReport: reports.readBody,
      cacheBytes,
      pages: (forPages) => buildWebApp(web, forPages),
      programs: (parts) => buildReachApp({ ...shared, cacheBytes, spool: receiving.spool }, parts),
    });
    // A server that listens is ready for its first page.
    await reports.open();
    const { host, port } = options;
    beforeListening?.();
    const address = await app.listen({ host, port }).catch((error: unknown) => {
      throw listenFailure(error, options);
    });
    if (publicUrl === '') publicUrl = address;
    for (const words of await closedKeyWords(store, web.environment)) log.warn(words);
    if (connectorAddress(publicUrl, options.connectors) === undefined) {
      const cause =
        options.connectors === 'off'
          ? '--connectors is off'
          : `${publicUrl} must be https, or this machine, without a path`;
      log.info(`Assistants cannot sign in: ${cause}.`);
    }
    await onListening(publicUrl, address, runner);
    const graceMs = await stopSignal(io, options);
    // Lines that are received from here on stay in the spool for the next start.
    await Promise.all([drain(app, { graceMs }), runner.stop({ graceMs }), receiving.stop()]);
  } finally {
    await runner.stop({ graceMs: 0 });
    await receiving.stop();
    await reports.stop();
    await store.close();
    await flushLog(log);
  }
}

/** Says that this server cannot open pasted keys, so that it does not ask their engines. */
async function closedKeyWords(store: Store, environment: Environment): Promise<readonly string[]> {
  const { length } = await findClosedKeys(store, environment);
  if (length === 0) return [];
  const words = `${plural(length, 'stored key')} of engines cannot be opened with this server's OVERHEARD_SECRET, so it does not ask them.`;
  return [`${words} overheard doctor names them.`];
}

/** Fetches from public addresses alone. Its library is loaded when someone first connects an assistant. */
const fetchDocument: DocumentFetch = async (url, init) => {
  const { createEngineFetch } = await import('../../../collect/ask/engine-fetch.ts');
  return createEngineFetch({ mayReachPrivate: false })(url, init);
};

function pageSettings(io: Io, { plainHttp, uploadMegabytes }: ServeOptions) {
  return {
    mayUsePlainHttp: plainHttp === 'allow',
    command: (words: string) => io.asTyped(words),
    toolServer: findToolServer(),
    uploadBytesMax: uploadMegabytes * 1_000_000,
  };
}

/** Waits for the signal to stop. Returns for how long requests are still accepted. */
async function stopSignal(io: Io, { drainSeconds }: ServeOptions): Promise<number> {
  if (!io.signal.aborted) await once(io.signal, 'abort');
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
