import type { RangeSet } from '../addresses/range-set.ts';
import { createFormats } from '../formats/all.ts';
import { dayOf } from '../hits/identity.ts';
import type { SampledLine } from '../hits/line-sample.ts';
import type { LogLine } from '../log-line.ts';
import { cutOut, writtenLine } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';
import type { AgentMemo } from './agent-memo.ts';
import type { Batch, BatchContext } from './batch.ts';
import { clientAddress } from './client-address.ts';
import { createLineReader, decodeLine } from './line-reader.ts';
import type { LineOutcome } from './line-reader.ts';
import { createLineSampler } from './sample-lines.ts';
import { createLineSplitter } from './split-lines.ts';
import { createTornLines } from './torn-lines.ts';
import type { TornHit } from './torn-lines.ts';

/** How lines are read, besides what they say themselves. */
export interface ReadOptions {
  /** `auto`, the name of a format, or `fields=...`. */
  readonly format: string;
  /** Only hits from this moment on, milliseconds since 1970. */
  readonly sinceMs?: number | undefined;
  /** Only hits before this moment. */
  readonly untilMs?: number | undefined;
  /** The site's name where the log does not say. */
  readonly host?: string | undefined;
  /** Networks of proxies whose X-Forwarded-For is believed. */
  readonly trusted?: RangeSet | undefined;
}

/** Turns the bytes of one log into hits of a batch. */
export interface Feed {
  push(chunk: Buffer): void;
  /** Takes the last line although it has no newline and none will come. */
  finish(): void;
  /**
   * Takes a last line that may yet go on: half a line that cannot be read is left alone. The hit that
   * it makes is taken back when the line is read whole.
   */
  takeUnfinished(): void;
  /** Bytes up to the end of the last whole line. */
  readonly wholeBytes: number;
  readonly directive: string | null;
  direct(line: string): void;
  /** What was sampled of the lines since the last time. */
  drainSample(): readonly SampledLine[];
  /** The hits that were made of half a line, and whose lines have been read whole since the last time. */
  drainCompleted(): readonly string[];
}

/** Makes a feed for one log. */
export function createFeed({
  options,
  agents,
  batch,
  tornHits,
  context: { verifier, tally, identity, clock },
}: {
  options: ReadOptions;
  agents: AgentMemo;
  batch: Batch;
  tornHits: readonly TornHit[];
  context: BatchContext;
}): Feed {
  const { findSigner } = verifier;
  const reader = createLineReader(createFormats(options.format), { agents, findSigner });
  const tornLines = createTornLines(tornHits, identity);
  let isFirst = true;
  const sampler = createLineSampler(identity.sampleSeed);
  const splitter = createLineSplitter({
    onLine: (line) => {
      const outcome = reader.read(line);
      complete(outcome, line);
      take(outcome, line, { rank: sampler.rankOf(line) });
    },
    onLongLine: (beginning) => tally.skip('too_long', decodeLine(beginning)),
  });
  return {
    push: splitter.push,
    finish: splitter.finish,
    takeUnfinished,
    get wholeBytes() {
      return splitter.wholeBytes;
    },
    get directive() {
      return reader.directive;
    },
    direct: reader.direct,
    drainSample: sampler.drain,
    drainCompleted: tornLines.drain,
  };

  /** A line that made a hit when it was torn makes another, or is the first that is read on from there. */
  function complete({ kind }: LineOutcome, line: WrittenLine): void {
    if (tornLines.isEmpty) return;
    if (kind === 'hit' || isFirst) tornLines.complete(line);
    isFirst = false;
  }

  function takeUnfinished(): void {
    const { rest } = splitter;
    if (rest === undefined) return;
    const line = writtenLine(rest.replace(/\r$/, ''));
    const outcome = reader.read(line);
    complete(outcome, line);
    if (outcome.kind === 'skipped') return;
    const torn = tornLines.tear(line);
    const id = take(outcome, line, { torn });
    if (id !== undefined) tornLines.remember({ id, torn });
  }

  /** Half a line has no rank: it is another when it is whole. */
  function take(
    outcome: LineOutcome,
    written: WrittenLine,
    { rank, torn }: { rank?: number | undefined; torn?: string },
  ): string | undefined {
    if (outcome.kind === 'skipped') {
      tally.skip(outcome.reason, beginningOf(written));
      return undefined;
    }
    if (outcome.kind === 'other') {
      tally.other();
      if (rank !== undefined) sample(rank, reader.parse(written));
      return undefined;
    }
    const { bot, line } = outcome;
    const address = clientAddress(line, options.trusted);
    if (rank !== undefined) sample(rank, line);
    if (isOutside(line.atMs)) {
      tally.skip('outside_time', beginningOf(written));
      return undefined;
    }
    const { host } = options;
    const asked = line.host === null && host !== undefined ? { ...line, host } : line;
    return batch.add({ bot, line: asked, address, torn });
  }

  function sample(rank: number, line: LogLine | undefined): void {
    if (line === undefined) return;
    const address = clientAddress(line, options.trusted);
    sampler.take({
      rank,
      day: dayOf(line.atMs),
      site: identity.classOf('site', line.host ?? options.host ?? ''),
      address: address === null ? -1 : identity.classOf('address', address),
      readDay: dayOf(clock()),
    });
  }

  function isOutside(atMs: number): boolean {
    const { sinceMs = -Infinity, untilMs = Infinity } = options;
    return atMs < sinceMs || atMs >= untilMs;
  }
}

function beginningOf(line: WrittenLine): string {
  return decodeLine(cutOut(line).slice(0, 400));
}
