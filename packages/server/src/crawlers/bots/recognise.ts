import { createMemo } from '../../values/memo.ts';
import type { Bot } from './catalogue.ts';

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
    if (!anyToken.test(text) || appLibrary.test(text)) return undefined;
    return longestFirst.find(({ bot, folded }) => claims(text, folded, bot))?.bot;
  }
}

function claims(text: string, token: string, { needsVersion }: Bot): boolean {
  for (let start = text.indexOf(token); start !== -1; start = text.indexOf(token, start + 1)) {
    if (isClaim(text, { start, end: start + token.length, needsVersion })) return true;
  }
  return false;
}

/** Words before a token by which a program says what it is like, or what it is not. */
const comparison =
  /(?:^|[^a-z0-9])(?:like|unlike|not|isn't|no|non|never|fake|as|with|for|than|of|to|be|is|allow|block|deny)[\s:]+(?:an?\s+|the\s+|"|')?$/;
/** What makes another word of a token. */
const otherWord =
  /^(?:[a-z0-9_@]|\.[a-z]|-(?:like|alike|compatible|style|friendly|check|test|simulat|emulat|verif|spoof|block|detect))/;
/** HTTP libraries of phones: the name in front is an app's. */
const appLibrary = /\b(?:cfnetwork|darwin|alamofire|okhttp|dalvik)\//;
/** Beginnings of user agents that name no bot. */
const namesNobody = /^(?:mozilla|opera|chrome|safari)\b/;
const wordBreak = /[\s;,()"'<>]/;

/** Characters on each side of a token that are read, because clients choose the length of a user agent. */
const sideLength = 200;

/**
 * Whether a user agent claims to be who has the token: as a product with a version, as its own first
 * name, or where browsers and `compatible;` leave room for a name. A URL, a mail address and a comparison
 * claim nothing.
 */
function isClaim(
  text: string,
  { start, end, needsVersion }: { start: number; end: number; needsVersion: boolean },
): boolean {
  const before = text.slice(Math.max(0, start - sideLength), start);
  const after = text.slice(end, end + sideLength);
  if (/[\w./@-]$/.test(before) || otherWord.test(after)) return false;
  if (isInAddress(before, after) || comparison.test(before.slice(-40))) return false;
  if (/^\/v?\d/.test(after)) return true;
  if (needsVersion) return false;
  const comment = before.lastIndexOf('(') > before.lastIndexOf(')') ? commentOf(before) : '';
  if (comment.includes('compatible;')) return true;
  // The first comment of a phone's browser has the name of the phone.
  const isDevice = /\b(?:android|iphone|ipad)\b/.test(comment) || /^\s+build\//.test(after);
  const isFirst = start < sideLength && before.trim() === '';
  return isFirst || (namesNobody.test(text) && !isDevice);
}

/** Whether the word around a token is a URL or a mail address. */
function isInAddress(before: string, after: string): boolean {
  const left = before.split(wordBreak).at(-1) ?? '';
  const right = after.split(wordBreak)[0] ?? '';
  return left.includes('://') || left.startsWith('www.') || right.includes('@');
}

function commentOf(before: string): string {
  return before.slice(before.lastIndexOf('('));
}
