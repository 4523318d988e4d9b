import { deriveActions } from '../../../answers/actions/derive.ts';
import { engineFetches } from '../../../collect/ask/engine-fetch.ts';
import { runWorker } from '../../../collect/worker.ts';
import { settings } from '../../../config.ts';
import { defineStoreCommand } from '../../define/define-command.ts';
import { createLog } from '../../terminal/log.ts';
import { readPrices } from '../../collecting/read-prices.ts';
import { atOnce, lastAnswerMs } from '../../collecting/at-once.ts';
import { logWork } from '../../collecting/log-work.ts';

export const collectWorkerCommand = defineStoreCommand({
  name: 'worker',
  summary: 'ask engines the due readings, until it is stopped',
  description:
    'Asks the due readings of every workspace that has a budget, as `overheard collect run` does, and checks twice a minute for more. Several workers may run at once. SIGTERM or Ctrl-C ends it after waiting for the open questions.',
  options: { atOnce, priceFile: settings.priceFile, logLevel: settings.logLevel },
  help: '\nThe log goes to stdout, with one line of JSON for each round of questions.\n',
  examples: ['overheard collect worker'],
  run: async ({ io, store }, { atOnce: questions, priceFile, logLevel }) => {
    io.stopWithin?.(lastAnswerMs);
    const log = createLog(io, logLevel);
    const { mayReachPrivate = false } = io;
    // Several workspaces may end at once: find their gaps one after the other.
    let finding: Promise<unknown> = Promise.resolve();
    await runWorker(store, {
      atOnce: questions,
      clock: io.clock,
      signal: io.signal,
      environment: io.environment ?? {},
      prices: await readPrices(priceFile, io),
      fetchFor: engineFetches({ mayReachPrivate }),
      onEvent: (event) => {
        logWork(log, event);
        if (!('counts' in event) || event.counts.runs === 0) return;
        const { workspace = '', workspaceId } = event;
        finding = finding
          .then(() => deriveActions(store, { workspaceId, clock: io.clock }))
          .catch((error: unknown) =>
            log.error({ workspace, err: store.mapFailure(error) }, 'finding gaps failed'),
          );
      },
    });
    await finding;
    await new Promise<void>((resolve) => log.flush(() => resolve()));
  },
});
