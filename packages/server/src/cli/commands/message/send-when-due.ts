import { areMessagesDue } from '../../../messages/send-messages.ts';
import type { Store } from '../../../storage/store.ts';
import { lookHourly, runApart } from '../../operator-lists/daily-lists.ts';

const everyMs = 60_000;

/**
 * Looks every minute whether messages are due, and sends them in a separate process, because writing
 * one reads as much as a report. Ends when the signal aborts.
 */
export function sendWhenDue(
  store: Store,
  {
    publicUrl,
    privateWebhooks,
    backups,
    database,
    clock,
    signal,
    onFailure,
  }: {
    readonly publicUrl: string;
    readonly privateWebhooks: string;
    /** The folder of the backups that are kept. */
    readonly backups?: string | undefined;
    /** The database's address, if it was an argument. */
    readonly database: string | undefined;
    readonly clock: () => number;
    readonly signal: AbortSignal;
    readonly onFailure: (error: unknown) => void;
  },
): Promise<void> {
  const rule = ['--private-webhooks', privateWebhooks];
  const kept = backups === undefined ? [] : ['--backups', backups];
  const command = ['message', 'send', '--public-url', publicUrl, ...rule, ...kept];
  const send = async () => {
    if (await areMessagesDue(store, clock())) await runApart(command, { database, signal });
  };
  return lookHourly(send, { signal, onFailure, waitMs: { first: everyMs, every: everyMs } });
}
