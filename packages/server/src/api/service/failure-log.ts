import type { Logger } from 'pino';
import { isReadQueueFull } from '../../storage/unavailable.ts';
import { createRareWarning } from './rare-warning.ts';

/** A failed request, for the page of operators. */
export interface RecentFailure {
  readonly at: string;
  readonly requestId: string;
  readonly words: string;
}

/** What the page shows; the log has the others. */
const failuresMax = 10;
const wordsMax = 200;

/** Makes a function that logs why a request failed, and keeps the newest failures in `failures`. */
export function createFailureLog(
  message: string,
  {
    log,
    clock,
    failures = [],
  }: { log: Logger; clock: () => number; failures?: RecentFailure[] | undefined },
): (error: unknown, request: { readonly id: string }) => void {
  const warnQueueFull = createRareWarning(
    'requests were refused because too many long reads were waiting',
    { log, clock },
  );

  return function logFailure(error, { id }) {
    const words = String(error).slice(0, wordsMax);
    failures.unshift({ at: new Date(clock()).toISOString(), requestId: id, words });
    failures.splice(failuresMax);
    // A full queue refuses many requests at once, and the stacks say nothing more.
    if (isReadQueueFull(error)) warnQueueFull();
    else log.error({ err: error, request_id: id }, message);
  };
}
