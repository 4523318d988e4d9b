import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';

/** User agents remembered, and the length up to which one is. */
const entriesMax = 8192;
const lengthMax = 1024;

/**
 * Remembers which bot each user agent is: a log of a million lines has a few hundred, so that nearly
 * every line costs one look into a table instead of a search for a hundred tokens.
 */
export function createAgentMemo(recognise: Recogniser): Recogniser {
  const known = new Map<string, Bot | null>();

  return function find(userAgent) {
    const bot = known.get(userAgent);
    if (bot !== undefined) return bot ?? undefined;
    const found = recognise(userAgent);
    // Whoever makes up user agents must not fill the memory: begin again.
    if (known.size >= entriesMax) known.clear();
    // A copy: a part of a line keeps the whole chunk of the log in memory.
    if (userAgent.length <= lengthMax) known.set(Buffer.from(userAgent).toString(), found ?? null);
    return found;
  };
}
