import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';
import type { LogFormat } from '../formats/format.ts';

/** User agents remembered, and the length up to which one is. */
const entriesMax = 8192;
const lengthMax = 1024;

/**
 * Remembers which bot each user agent is: a log of a million lines has a few hundred, so that nearly
 * every line costs one look into a table instead of a search for a hundred tokens.
 */
export function createAgentMemo(
  recognise: Recogniser,
  { decodeUserAgent }: Pick<LogFormat, 'decodeUserAgent'>,
): (raw: string) => Bot | undefined {
  const known = new Map<string, Bot | null>();

  return function find(raw) {
    const bot = known.get(raw);
    if (bot !== undefined) return bot ?? undefined;
    const bytes = Buffer.from(raw, 'latin1');
    const found = recognise(decodeUserAgent(bytes.toString('utf8')));
    // Whoever makes up user agents must not fill the memory: begin again.
    if (known.size >= entriesMax) known.clear();
    // A copy: a part of a line keeps the whole chunk of the log in memory.
    if (raw.length <= lengthMax) known.set(bytes.toString('latin1'), found ?? null);
    return found;
  };
}
