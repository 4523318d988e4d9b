import type { Logger } from 'pino';
import { toUsd } from '../../collect/ledger/micros.ts';
import type { WorkEvent } from '../../collect/worker.ts';
import { refusalWords } from '../../refusals.ts';

/** Writes a worker's reports into the log. */
export function logWork(log: Logger, event: WorkEvent): void {
  const { workspace } = event;
  if ('counts' in event) {
    const { costMicros, ...counts } = event.counts;
    log.info({ workspace, ...counts, cost_usd: toUsd(costMicros) }, 'engines were asked');
  } else if ('refusal' in event) {
    log.warn({ workspace, code: event.refusal.code }, refusalWords(event.refusal));
  } else {
    log.error({ workspace, err: event.error }, 'asking engines failed');
  }
}
