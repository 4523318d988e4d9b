import type { Logger } from 'pino';
import { isReadQueueFull } from '../../storage/unavailable.ts';
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
    if (isReadQueueFull(error)) warnQueueFull();
    else log.error({ err: error, request_id: id }, message);
  };
}
