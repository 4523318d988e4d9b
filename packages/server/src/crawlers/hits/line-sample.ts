import { z } from 'zod';

/** What is kept of one line of a log, so that the share of an address can be told. */
export interface SampledLine {
  /** A keyed number of the line's text: the lowest are kept. */
  readonly rank: number;
  /** Days since 1970 of the request. */
  readonly day: number;
  /** Which of some thousand classes the site is in, and the client's address; -1 for no address. */
  readonly site: number;
  readonly address: number;
  /** Days since 1970 of the reading. */
  readonly readDay: number;
}

/** Lines that are kept. The share of an address among them is right within some hundredths. */
export const ranksMax = 1024;
/** The same line read with and without X-Forwarded-For, say, is of several addresses. */
const readingsMax = 4;

const keptLine = z
  .tuple([z.int(), z.int(), z.int(), z.int(), z.int()])
  .transform(([rank, day, site, address, readDay]) => ({ rank, day, site, address, readDay }));
const keptSample = z.array(keptLine);

/**
 * Joins two samples into that of all their lines: those of the lowest ranks, each once. A line's rank
 * hangs on its text alone, so that what comes out is a random sample of the distinct lines, and the
 * same in whatever pieces, in whatever order and how often they were read.
 */
export function joinSamples(
  known: readonly SampledLine[],
  more: readonly SampledLine[],
): readonly SampledLine[] {
  const sorted = [...known, ...more].toSorted(compare);
  const kept: SampledLine[] = [];
  let ranks = 0;
  let readings = 0;
  let before: SampledLine | undefined;
  for (const line of sorted) {
    if (before !== undefined && isSameReading(before, line)) continue;
    const isNewRank = before?.rank !== line.rank;
    if (isNewRank && ++ranks > ranksMax) break;
    readings = isNewRank ? 1 : readings + 1;
    before = line;
    if (readings <= readingsMax) kept.push(line);
  }
  return kept;
}

/** The sample in the form in which it is kept. */
export function writeSample(sample: readonly SampledLine[]): string {
  return JSON.stringify(
    sample.map(({ rank, day, site, address, readDay }) => [rank, day, site, address, readDay]),
  );
}

/** Reads a sample that was kept. */
export function readSample(text: string): readonly SampledLine[] {
  return keptSample.parse(JSON.parse(text));
}

function isSameReading(left: SampledLine, right: SampledLine): boolean {
  return (
    left.rank === right.rank &&
    left.day === right.day &&
    left.site === right.site &&
    left.address === right.address
  );
}

function compare(left: SampledLine, right: SampledLine): number {
  return (
    left.rank - right.rank ||
    left.day - right.day ||
    left.site - right.site ||
    left.address - right.address ||
    left.readDay - right.readDay
  );
}
