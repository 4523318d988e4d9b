import { createFormats } from '../formats/all.ts';
import { itemsOf } from '../formats/json-format.ts';
import type { Batch } from './batch.ts';
import { readClient } from './client-address.ts';
import type { IngestContext } from './context.ts';
import { createLineReader } from './line-reader.ts';
import { createLineSplitter } from './split-lines.ts';

/** Turns the bytes of one log into hits of a batch. */
export interface Feed {
  push(chunk: Buffer): void;
  /** Reads the last line although it has no newline. */
  finish(): void;
  /** Bytes of a last line that has no newline yet. */
  readonly restBytes: number;
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  /** The line that names the columns, if there is one. */
  readonly directive: string | null;
  direct(line: string): boolean;
}

export function createFeed(context: IngestContext, batch: Batch): Feed {
  const { rules, tally, host, nat64, sinceMs = -Infinity, untilMs = Infinity } = context;
  const reader = createLineReader(createFormats(context.format), rules);
  const splitter = createLineSplitter({
    onLine(line) {
      const items = itemsOf(line);
      if (items === undefined) take(line);
      else for (const item of items) take(item);
    },
    onLongLine: (beginning) => tally.skip('too_long', beginning),
  });
  return {
    push: splitter.push,
    finish: splitter.finish,
    get restBytes() {
      return splitter.restBytes;
    },
    get wholeBytes() {
      return splitter.wholeBytes;
    },
    get directive() {
      return reader.directive;
    },
    direct: reader.direct,
  };

  function take(text: string): void {
    const outcome = reader.read(text);
    if (outcome.kind === 'other') return tally.other();
    if (outcome.kind === 'skipped') return tally.skip(outcome.reason, text);
    const isOutside = outcome.line.atMs < sinceMs || outcome.line.atMs >= untilMs;
    const line = { ...outcome.line, host: outcome.line.host ?? host ?? null };
    if (outcome.kind === 'referral') {
      tally.other();
      if (!isOutside) batch.addReferral(line);
    } else if (isOutside) {
      tally.skip('outside_time', text);
    } else {
      const client = readClient(line, { proxies: rules.proxies, nat64 });
      batch.add({ bot: outcome.bot, line, client });
    }
  }
}
