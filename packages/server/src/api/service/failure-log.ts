import type { Logger } from 'pino';
import { isRefusal } from '../../refusals.ts';
import { createRareWarning } from './rare-warning.ts';

/** Makes a function that logs why a request failed. */
export function createFailureLog(
  message: string,
  { log, clock }: { log: Logger; clock: () => number },
): (error: unknown, request: { readonly id: string }) => void {
  const warnQueueFull = createRareWarning(
    'requests were refused because too many long reads were waiting',
    { log, clock },
  );

  return function logFailure(error, { id }) {
    // A full queue refuses many requests at once, and the stacks say nothing more.
    if (isRefusal(error) && error.code === 'long_reads_too_many') warnQueueFull();
    else log.error({ err: error, request_id: id }, message);
  };
}
