import { Readable } from 'node:stream';
import { prepareIngest } from '../crawlers/ingest/context.ts';
import { ingestFiles } from '../crawlers/ingest/ingest.ts';
import { keepFileVersion, writeListContent } from '../crawlers/operators/file-versions.ts';
import type { Store } from '../storage/store.ts';
import { dayMs } from '../values/utc-day.ts';
import { days } from './calendar.ts';
import { demoLists } from './log.ts';

/**
 * Reads the demo's log as `overheard hits ingest` reads any, with lists that held all the time. Returns
 * how many hits it made.
 */
export async function fillHits(
  store: Store,
  workspaceId: string,
  { log, clock, signal }: { log: readonly string[]; clock: () => number; signal: AbortSignal },
): Promise<number> {
  for (const [fileId, network] of demoLists) {
    await keepFileVersion(store.writer, {
      fileId,
      content: writeListContent([`${network}.0/24`]),
      firstMs: clock() - days * dayMs,
      lastMs: clock(),
    });
  }
  const context = await prepareIngest(store, { workspaceId, format: 'auto', clock, signal });
  const stdin = Readable.from([Buffer.from(`${log.join('\n')}\n`)]);
  const { summary } = await ingestFiles(['-'], context, { stdin });
  return summary.hitsNew;
}
