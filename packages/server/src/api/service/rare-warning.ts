import type { Logger } from 'pino';

const everyMs = 60_000;

/**
 * Makes a function that logs a warning at most once a minute, with the number of failures since the
 * last one: a fault in every request must not flood the log.
 */
export function createRareWarning(
  message: string,
  { log, clock }: { log: Logger; clock: () => number },
): (error?: unknown) => void {
  let loggedMs: number | undefined;
  let failures = 0;

  return function warnRarely(error) {
    failures += 1;
    const nowMs = clock();
    const ageMs = loggedMs === undefined ? everyMs : nowMs - loggedMs;
    // Warn also after the clock was set back.
    if (ageMs >= 0 && ageMs < everyMs) return;
    log.warn({ err: error, failures }, message);
    loggedMs = nowMs;
    failures = 0;
  };
}
