import type { Bot } from './catalogue.ts';

/** Finds the bot that a user agent claims to be. */
export type Recogniser = (userAgent: string) => Bot | undefined;

/**
 * Makes a recogniser of a list of bots. Tokens match in any case, as whole words and the longest
 * first, whatever version stands behind them: `Googlebot-News` is not `Googlebot`. A token that is a
 * name of people too must have a version: "Devin's iPhone" is nobody's bot.
 */
export function createRecogniser(bots: readonly Bot[]): Recogniser {
  const longestFirst = bots
    .map((bot) => ({ bot, folded: bot.token.toLowerCase() }))
    .toSorted((left, right) => right.folded.length - left.folded.length);
  const anyToken = new RegExp(longestFirst.map(({ folded }) => escapeRegExp(folded)).join('|'));

  return function recognise(userAgent) {
    const text = userAgent.toLowerCase();
    // Nearly every user agent ends here.
    if (!anyToken.test(text)) return undefined;
    return longestFirst.find(({ bot, folded }) => hasWord(text, folded, bot.needsVersion))?.bot;
  };
}

function hasWord(text: string, word: string, needsVersion: boolean): boolean {
  let start = text.indexOf(word);
  while (start !== -1) {
    const end = start + word.length;
    const isWord = !isLetterOrDigit(text, start - 1) && !isLetterOrDigit(text, end);
    if (isWord && (!needsVersion || /^\/\d/.test(text.slice(end, end + 2)))) return true;
    start = text.indexOf(word, start + 1);
  }
  return false;
}

function isLetterOrDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122);
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}
