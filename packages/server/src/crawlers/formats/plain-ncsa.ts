import type { WrittenLine } from '../written-line.ts';
import { isNcsaBeginning } from './ncsa-beginning.ts';
import { parseTime } from './time.ts';

const beforeRequest = '[20/Nov/2026:12:34:56 +0530] '.length;

const [space, minus, slash, brace] = [...' -/{'].map((sign) => sign.charCodeAt(0));

/**
 * Makes what finds the user agent of plain lines in NCSA combined as they nearly always are: every part
 * is checked that could keep the line from being read, and nothing is taken out but the user agent.
 */
export function createPlainNcsaReader(): (line: WrittenLine) => string | undefined {
  let knownTime = '';
  return function userAgentOf({ text, start, end, isPlain }) {
    if (!isPlain || text.charCodeAt(start) === brace) return undefined;
    // What is looked for may be found in a later line: that the last quote is not says it of all.
    const request = text.indexOf('"', start);
    const open = request - beforeRequest;
    if (open < start || !isTime(text, open) || !isNcsaBeginning(text, start, open))
      return undefined;
    const requestEnd = text.indexOf('"', request + 1);
    const referrer = requestEnd === -1 ? -1 : text.indexOf('"', requestEnd + 1);
    if (referrer === -1 || !isRequest(text, request + 1)) return undefined;
    if (!isStatusAndSize(text, requestEnd + 1, referrer)) return undefined;
    const referrerEnd = text.indexOf('"', referrer + 1);
    if (referrerEnd === -1 || !isAt(text, referrerEnd + 1, ' "')) return undefined;
    const agent = referrerEnd + 3;
    const agentEnd = text.indexOf('"', agent);
    if (agentEnd <= agent || agentEnd >= end) return undefined;
    const isNone = agentEnd === agent + 1 && text.charCodeAt(agent) === minus;
    return isNone ? undefined : text.slice(agent, agentEnd);
  };

  /** Whether there is a time in its brackets. Neighbouring lines are of the same second. */
  function isTime(text: string, open: number): boolean {
    const time = text.slice(open, open + beforeRequest);
    if (time === knownTime) return true;
    if (!time.startsWith('[') || !time.endsWith('] ')) return false;
    if (parseTime(time.slice(1, -2)) === undefined) return false;
    // A copy: a part of a text is several times as slow to look into, and keeps the whole.
    knownTime = Buffer.from(time, 'latin1').toString('latin1');
    return true;
  }
}

/** Like `startsWith`, which takes several times as long for what is so short. */
function isAt(text: string, start: number, expected: string): boolean {
  let place = expected.length - 1;
  while (place >= 0 && text.charCodeAt(start + place) === expected.charCodeAt(place)) place--;
  return place < 0;
}

/** A method of at most 32 letters and a target that is a path; what stands behind it may be anything. */
function isRequest(text: string, start: number): boolean {
  let place = start;
  while (isLetter(text.charCodeAt(place))) place++;
  const length = place - start;
  return (
    length > 0 &&
    length <= 32 &&
    text.charCodeAt(place) === space &&
    text.charCodeAt(place + 1) === slash
  );
}

/** ` 200 2326 ` between two quotes; either may be `-`. */
function isStatusAndSize(text: string, start: number, end: number): boolean {
  const isNone = text.charCodeAt(start + 1) === minus;
  const size = start + (isNone ? 3 : 5);
  if (text.charCodeAt(start) !== space || text.charCodeAt(size - 1) !== space) return false;
  if (
    !isNone &&
    !(isDigit(text, start + 1) && isDigit(text, start + 2) && isDigit(text, start + 3))
  )
    return false;
  for (let place = size; place < end - 1; place++) {
    if (text.charCodeAt(place) <= 32) return false;
  }
  return end - 1 > size && text.charCodeAt(end - 1) === space;
}

function isDigit(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  const folded = code | 32;
  return folded >= 97 && folded <= 122;
}
