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

/** Where a token is in a user agent, in lower case. */
interface TokenPlace {
  readonly start: number;
  readonly end: number;
  readonly needsVersion: boolean;
}

/** Whether a user agent, in lower case, can be a server's at all. */
export function isOfPhoneApp(text: string): boolean {
  return appLibrary.test(text);
}

/**
 * Whether a user agent claims to be who has the token: as a product with a version, as its own first
 * name, or where browsers and `compatible;` leave room for a name. A URL, a mail address and a comparison
 * claim nothing.
 */
export function isClaim(text: string, { start, end, needsVersion }: TokenPlace): boolean {
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
