import { colon, dot, isDigit, isLetter, minus, space, underscore } from './ascii.ts';

/**
 * Whether the bytes from `start` to `end` look like what NCSA has before the time: an address, or a name
 * and an address, and more behind it. Loose, and quick: every line is asked.
 */
export function isNcsaBeginning(bytes: DataView, start: number, end: number): boolean {
  return afterClient(bytes, start, end) < end;
}

/** Past the client's address and the space behind it; `end` where there is no such beginning. */
export function afterClient(bytes: DataView, start: number, end: number): number {
  const first = afterAddress(bytes, start, end);
  if (first < end) return first;
  const second = afterName(bytes, start, end);
  return second < end ? afterAddress(bytes, second, end) : end;
}

/**
 * Past a word and the space behind it, if it is like `192.0.2.7`, with a port or without, or hexadecimal
 * digits with as many colons as IPv6 has; else `end`.
 */
function afterAddress(bytes: DataView, start: number, end: number): number {
  let dots = 0;
  let colons = 0;
  let hasGap = false;
  let before = 0;
  for (let place = start; place < end; place++) {
    const code = bytes.getUint8(place);
    if (code === dot) dots++;
    else if (code === colon) {
      colons++;
      hasGap ||= before === colon;
    } else if (code === space) {
      return hasGap || colons === 7 || (dots === 3 && colons < 2) ? place + 1 : end;
    } else if (!isDigit(code) && !isHexLetter(code)) return end;
    before = code;
  }
  return end;
}

/** Past a host as a server has it configured, with a port or without, and the space behind it; else `end`. */
function afterName(bytes: DataView, start: number, end: number): number {
  let hasPort = false;
  for (let place = start; place < end; place++) {
    const code = bytes.getUint8(place);
    if (code === space) return place > start ? place + 1 : end;
    if (code === colon && !hasPort) hasPort = true;
    else if (hasPort ? !isDigit(code) : !isNameSign(code)) return end;
  }
  return end;
}

function isNameSign(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === dot || code === minus || code === underscore;
}

function isHexLetter(code: number): boolean {
  const folded = code | 32;
  return folded >= 97 && folded <= 102;
}
