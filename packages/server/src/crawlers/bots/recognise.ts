import { createMemo } from '../../values/memo.ts';
import type { Bot } from './catalogue.ts';
import { isClaim, isOfPhoneApp } from './claims.ts';

export type Recogniser = (userAgent: string) => Bot | undefined;

/**
 * Makes a recogniser of a list of bots. Tokens match in any case, as whole words and the longest
 * first, whatever version follows: `Googlebot-News` is not `Googlebot`. A token claims nothing in a
 * comparison or in a URL. Results are remembered: a log has few user agents.
 */
export function createRecogniser(bots: readonly Bot[]): Recogniser {
  const longestFirst = bots
    .map((bot) => ({ bot, folded: bot.token.toLowerCase() }))
    .toSorted((left, right) => right.folded.length - left.folded.length);
  const anyToken = new RegExp(longestFirst.map(({ folded }) => RegExp.escape(folded)).join('|'));
  return createMemo(find, { entriesMax: 4096, lengthMax: 512 });

  function find(userAgent: string): Bot | undefined {
    const text = userAgent.toLowerCase();
    if (!anyToken.test(text) || isOfPhoneApp(text)) return undefined;
    return longestFirst.find(({ bot, folded }) => claims(text, folded, bot))?.bot;
  }
}

function claims(text: string, token: string, { needsVersion }: Bot): boolean {
  for (let start = text.indexOf(token); start !== -1; start = text.indexOf(token, start + 1)) {
    if (isClaim(text, { start, end: start + token.length, needsVersion })) return true;
  }
  return false;
}
