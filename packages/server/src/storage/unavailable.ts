import { isRefusal, refusalParts, refusals } from '../refusals.ts';

/**
 * Whether a failure is a refusal because the database is unreachable, busy or out of space for now.
 */
export function isUnavailable(error: unknown): boolean {
  return isRefusal(error) && refusals[error.code].kind === 'unavailable';
}

/** The words for anyone if reads are too many or too long while the database is there. */
export function busyWords(error: unknown): string | undefined {
  const isBusy =
    isRefusal(error) && (error.code === 'long_reads_too_many' || error.code === 'database_slow');
  return isBusy ? refusalParts(error)[0] : undefined;
}

/** Whether a read was refused because too many long ones were waiting. */
export function isReadQueueFull(error: unknown): boolean {
  return isRefusal(error) && error.code === 'long_reads_too_many';
}
