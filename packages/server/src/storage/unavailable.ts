import { isRefusal, refusals } from '../refusals.ts';

/**
 * Whether a failure is a refusal because the database is unreachable, busy or out of space for now.
 */
export function isUnavailable(error: unknown): boolean {
  return isRefusal(error) && refusals[error.code].kind === 'unavailable';
}
