import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../refusals.ts';

/** Throws a `Refusal` once a person or the system has asked the command to stop. */
export function refuseIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Refusal('stopped', {});
}

/**
 * Like `refuseIfStopped`, but first lets the event loop run, because signals arrive only between
 * two of its turns.
 */
export async function listenAndRefuseIfStopped(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  refuseIfStopped(signal);
}
