import { isBrowser } from '../bots/is-browser.ts';
import { createFormats } from '../formats/file-formats.ts';
import { hasTooManyItems, itemsOf } from '../formats/json-format.ts';
import { createBatch } from './batch.ts';
import { readClient } from './client-address.ts';
import type { IngestContext } from './prepare-ingest.ts';
import { createLineReader } from './line-reader.ts';
import { createLineSplitter } from './split-lines.ts';

/** Shorter lines cannot have too many items. */
const countedLength = 65_536;

/** Makes what one log passes through: the bytes pushed become hits of `batch`. */
export function createFeed(context: IngestContext) {
  const { rules, tally, host, nat64, sinceMs = -Infinity, untilMs = Infinity } = context;
  const batch = createBatch(context);
  const reader = createLineReader(createFormats(context.format), rules);
  let items: string[] = [];
  const splitter = createLineSplitter({
    onLine(line) {
      if (line.length > countedLength && hasTooManyItems(line)) return tally.skip('too_long', line);
      const several = itemsOf(line);
      if (several === undefined) take(line);
      else for (const item of several) items.push(item);
    },
    onLongLine: (beginning) => tally.skip('too_long', beginning),
  });
  return { push, finish, splitter, reader, batch };

  async function push(chunk: Buffer): Promise<void> {
    splitter.push(chunk);
    await takeItems();
  }

  /** Takes the last line although it has no newline. */
  async function finish(): Promise<void> {
    splitter.finish();
    await takeItems();
  }

  /** Writes between the items of a line: it can have more than fit into one transaction. */
  async function takeItems(): Promise<void> {
    const openItems = items;
    items = [];
    for (const item of openItems) {
      take(item);
      if (batch.isFull) await batch.flush();
    }
  }

  function take(text: string): void {
    const outcome = reader.read(text);
    if (outcome.kind === 'other') return tally.addOther();
    if (outcome.kind === 'visitor') {
      tally.addOther();
      return batch.addVisitor(outcome.line);
    }
    if (outcome.kind === 'skipped') return tally.skip(outcome.reason, text);
    const isOutside = outcome.line.atMs < sinceMs || outcome.line.atMs >= untilMs;
    const line = { ...outcome.line, host: outcome.line.host ?? host ?? null };
    if (outcome.kind === 'referral') {
      tally.addOther();
      if (isBrowser(line.userAgent)) batch.addVisitor(line);
      if (!isOutside) batch.addReferral(line);
    } else if (isOutside) {
      tally.skip('outside_time', text);
    } else {
      const { originAuth, ...request } = line;
      const client = readClient({ ...request, originAuth }, { proxies: rules.proxies, nat64 });
      batch.add({ ...request, ...client, bot: outcome.bot });
    }
  }
}
