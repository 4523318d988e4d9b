import { createFormats } from '../formats/all.ts';
import { itemsOf } from '../formats/json-array.ts';
import type { LogLine } from '../log-line.ts';
import type { Batch } from './batch.ts';
import { readClient } from './client-address.ts';
import type { IngestContext } from './ingest.ts';
import { createLineReader } from './line-reader.ts';
import type { LineOutcome } from './line-reader.ts';
import { createLineSplitter } from './split-lines.ts';

/** Turns the bytes of one log into hits of a batch. */
export interface Feed {
  push(chunk: Buffer): void;
  /** Takes the last line although it has no newline and none will come. */
  finish(): void;
  /** Bytes of a last line that has no newline yet. */
  readonly restBytes: number;
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  readonly directive: string | null;
  direct(line: string): boolean;
}

/** Makes a feed for one log. */
export function createFeed(context: IngestContext, batch: Batch): Feed {
  const { options, recognise, proxies } = context;
  const { verifier, tally } = context.batchContext;
  const { sinceMs = -Infinity, untilMs = Infinity } = options;
  const reader = createLineReader(createFormats(options.format), {
    recognise,
    findSigner: verifier.findSigner,
  });
  const splitter = createLineSplitter({
    onLine: (line) => {
      for (const item of itemsOf(line) ?? [line]) take(reader.read(item), item);
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

  function take(outcome: LineOutcome, text: string): void {
    if (outcome.kind === 'other') return tally.other();
    if (outcome.kind === 'skipped') return tally.skip(outcome.reason, text);
    const { bot, line } = outcome;
    if (line.atMs < sinceMs || line.atMs >= untilMs) return tally.skip('outside_time', text);
    const client = readClient(line, { proxies: proxies.current, nat64: options.nat64 });
    batch.add({ bot, line: onSite(line), client });
  }

  function onSite(line: LogLine): LogLine {
    const { host } = options;
    return line.host === null && host !== undefined ? { ...line, host } : line;
  }
}
