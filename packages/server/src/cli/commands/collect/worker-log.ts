/** Shared by a separate worker and one inside the server. */
import type { Logger } from 'pino';
import { toUsd } from '../../../collect/ledger/micros.ts';
import type { WorkEvent } from '../../../collect/worker.ts';
import { number } from '../../define/options.ts';
import { refusalWords } from '../../words/refusals/refusal-words.ts';

/** A sent question is paid for, so wait for its answer as long as an engine may take. */
export const lastAnswerMs = 610_000;

export const atOnce = number('questions open at the same time, for each engine', {
  min: 1,
  max: 64,
  initial: 4,
});

/** Writes a worker's reports into the log. */
export function logWork(log: Logger, event: WorkEvent): void {
  const { workspace } = event;
  if ('asked' in event) {
    const { costMicros, ...counts } = event.asked;
    log.info({ workspace, ...counts, cost_usd: toUsd(costMicros) }, 'engines were asked');
  } else if ('refusal' in event) {
    log.warn({ workspace, code: event.refusal.code }, refusalWords(event.refusal));
  } else {
    log.error({ workspace, err: event.error }, 'asking engines failed');
  }
}
