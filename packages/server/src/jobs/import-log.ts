import { settleDays } from '../crawlers/hits/settle-days.ts';
import { pruneAddresses } from '../crawlers/hits/prune-addresses.ts';
import { prepareIngest } from '../crawlers/ingest/prepare-ingest.ts';
import { readStream } from '../crawlers/ingest/stream-log.ts';
import { skipReasons } from '../crawlers/log-line.ts';
import { decompress } from '../rows/decompress.ts';
import { refuseIfStopped } from '../rows/refuse-if-stopped.ts';
import type { Source } from '../rows/source.ts';
import type { Store } from '../storage/store.ts';
import { amount } from '../values/plural.ts';
import type { JobTools } from './job-tools.ts';

/**
 * Reads an uploaded access log into hits. Lines that were read before add nothing. Host names are not
 * looked up: the daily update of lists does that.
 */
export async function importLog(
  store: Store,
  { source: { name, stream }, host }: { source: Source; host: string | undefined },
  { workspaceId, clock, signal, onProgress }: JobTools,
): Promise<Record<string, number | string[]>> {
  const context = await prepareIngest(store, {
    workspaceId,
    format: 'auto',
    host,
    clock,
    signal,
    onRead: () => onProgress({ step: 'reading', count: context.tally.summarise().lines }),
  });
  try {
    await readStream(decompress(stream, { name }), context);
    refuseIfStopped(signal);
  } finally {
    // Also what a damaged file has before its damage is kept.
    await settleDays(store, workspaceId);
    await pruneAddresses(store, workspaceId, { nowMs: clock() });
  }
  const { lines, hitsNew, hitsKnown, skips, ...counts } = context.tally.summarise();
  return {
    read: lines,
    new: hitsNew,
    unchanged: hitsKnown,
    skipped: counts.skipped,
    other: counts.otherTraffic,
    referrals: counts.referralsNew,
    warnings: skips.map(
      ({ reason, lines: count }) => `Skipped ${amount(count, 'line')} ${skipReasons[reason]}.`,
    ),
  };
}
