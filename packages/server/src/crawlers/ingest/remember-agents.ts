import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';

/** User agents remembered, and the length up to which one is. */
const agentsMax = 8192;
const lengthMax = 1024;

/**
 * Remembers which bots user agents claim to be: a log of a million lines has a few hundred user agents,
 * so that nearly every line costs one look-up.
 */
export function rememberAgents(recognise: Recogniser): Recogniser {
  const known = new Map<string, Bot | null>();
  return function recogniseAgain(userAgent) {
    const before = known.get(userAgent);
    if (before !== undefined) return before ?? undefined;
    const bot = recognise(userAgent);
    if (known.size >= agentsMax) known.clear();
    // A copy: the user agent is a slice of a piece of the log.
    if (userAgent.length <= lengthMax) known.set(Buffer.from(userAgent).toString(), bot ?? null);
    return bot;
  };
}
