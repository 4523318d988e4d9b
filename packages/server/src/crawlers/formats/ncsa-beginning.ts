const space = 0x20;
const minus = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const underscore = 0x5f;

/**
 * Whether the characters from `start` to `end` look like what NCSA has before the time: an address, or
 * a name and an address, and more behind it. Loose, and quick: every line is asked.
 */
export function isNcsaBeginning(text: string, start: number, end: number): boolean {
  const second = endOfWord(text, start, end) + 1;
  if (second >= end) return false;
  if (isLikeAddress(text, start, second - 1)) return true;
  const third = endOfWord(text, second, end) + 1;
  return (
    third < end && isLikeName(text, start, second - 1) && isLikeAddress(text, second, third - 1)
  );
}

function endOfWord(text: string, start: number, end: number): number {
  let place = start;
  while (place < end && text.charCodeAt(place) !== space) place++;
  return place;
}

/** `192.0.2.7`, with a port or without, or hexadecimal digits with as many colons as IPv6 has. */
function isLikeAddress(text: string, start: number, end: number): boolean {
  let dots = 0;
  let colons = 0;
  let hasGap = false;
  for (let place = start; place < end; place++) {
    const code = text.charCodeAt(place);
    if (code === dot) dots++;
    else if (code === colon) {
      colons++;
      hasGap ||= text.charCodeAt(place + 1) === colon;
    } else if (!isDigit(code) && !isHexLetter(code)) return false;
  }
  return hasGap || colons === 7 || (dots === 3 && colons < 2);
}

/** A host as a server has it configured, with a port or without. */
function isLikeName(text: string, start: number, end: number): boolean {
  let hasPort = false;
  for (let place = start; place < end; place++) {
    const code = text.charCodeAt(place);
    if (code === colon && !hasPort) hasPort = true;
    else if (hasPort ? !isDigit(code) : !isNameSign(code)) return false;
  }
  return end > start;
}

function isNameSign(code: number): boolean {
  const folded = code | 32;
  const isLetter = folded >= 97 && folded <= 122;
  return isLetter || isDigit(code) || code === dot || code === minus || code === underscore;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isHexLetter(code: number): boolean {
  const folded = code | 32;
  return folded >= 97 && folded <= 102;
}
