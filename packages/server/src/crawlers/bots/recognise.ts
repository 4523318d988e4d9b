import type { Bot } from './catalogue.ts';
import { isClaim, isOfPhoneApp } from './claims.ts';

/** Finds the bot that a user agent claims to be. */
export type Recogniser = (userAgent: string) => Bot | undefined;

/**
 * Makes a recogniser of a list of bots. Tokens match in any case, as whole words and the longest
 * first, whatever version follows: `Googlebot-News` is not `Googlebot`. A token that the user agent only
 * compares itself with, or that is part of an address, claims nothing.
 */
export function createRecogniser(bots: readonly Bot[]): Recogniser {
  const longestFirst = bots
    .map((bot) => ({ bot, folded: bot.token.toLowerCase() }))
    .toSorted((left, right) => right.folded.length - left.folded.length);
  const anyToken = new RegExp(longestFirst.map(({ folded }) => escapeRegExp(folded)).join('|'));

  return function recognise(userAgent) {
    const text = userAgent.toLowerCase();
    // Nearly every user agent ends here.
    if (!anyToken.test(text) || isOfPhoneApp(text)) return undefined;
    return longestFirst.find(({ bot, folded }) => claims(text, folded, bot))?.bot;
  };
}

function claims(text: string, token: string, { needsVersion }: Bot): boolean {
  for (let start = text.indexOf(token); start !== -1; start = text.indexOf(token, start + 1)) {
    if (isClaim(text, { start, end: start + token.length, needsVersion })) return true;
  }
  return false;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}

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
