import { engineFetches } from '../../collect/ask/engine-fetch.ts';
import type { Io } from '../terminal/io.ts';
import { readPrices } from './read-prices.ts';

/** A sent question is paid for, so wait for its answer as long as an engine may take. */
export const lastAnswerMs = 610_000;

/** How this process asks engines. A stop of the command then waits for the open questions. */
export async function askingOptions(io: Io, priceFile: string | undefined) {
  io.stopWithin?.(lastAnswerMs);
  return {
    clock: io.clock,
    signal: io.signal,
    environment: io.environment ?? {},
    prices: await readPrices(priceFile, io),
    fetchFor: engineFetches({ mayReachPrivate: io.mayReachPrivate ?? false }),
  };
}
