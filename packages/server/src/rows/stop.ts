import { CommandError } from '../problems.ts';

/** Throws a `CommandError` once a person or the system has asked the command to stop. */
export function refuseIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CommandError('Stopped.');
}
