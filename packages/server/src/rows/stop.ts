import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../refusals.ts';

/** Throws a `Refusal` once a person or the system has asked the command to stop. */
export function refuseIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Refusal('stopped', {});
}

/** As `refuseIfStopped`, having heard who asks now: that is between two turns of the event loop only. */
export async function listenAndRefuseIfStopped(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  refuseIfStopped(signal);
}
