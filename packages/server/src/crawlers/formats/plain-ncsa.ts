import { copyOf } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';
import { bracket, isDigit, isLetter, minus, quote, slash, space, zero } from './ascii.ts';
import type { LogFormat, PlainReader } from './format.ts';
import { hostOf } from './host.ts';
import { afterClient } from './ncsa-beginning.ts';
import { readSides } from './ncsa-sides.ts';
import { readRequestLine } from './request.ts';
import { parseTime } from './time.ts';

const timeLength = '[20/Nov/2026:12:34:56 +0530]'.length;
/** From the time's bracket to the request's quote. */
const requestOffset = timeLength + 2;
/** Of the methods that `readTarget` knows. */
const methodLengthMax = 32;

/**
 * Makes a reader of plain lines in NCSA combined as they nearly always are. Every part is checked that
 * could keep a line from being read. What is far away is searched for in the text, what is near is looked
 * at in the bytes.
 */
export function createPlainNcsaReader(): PlainReader {
  const knownTime = new Int32Array(timeLength / 4);
  let knownMs = 0;
  // Where the parts of the line found last stand.
  let time = 0;
  let requestEnd = 0;
  let agent = 0;
  let agentEnd = 0;
  return {
    find,
    parse,
    get agent() {
      return agent;
    },
    get agentEnd() {
      return agentEnd;
    },
  };

  function find({ text, bytes, start, end, isPlain }: WrittenLine): boolean {
    if (!isPlain) return false;
    const client = afterClient(bytes, start, end);
    time = findBracket(bytes, client, end);
    const request = time + requestOffset;
    if (time === client || request > end || !isTime(text, bytes, time)) return false;
    if (!isRequest(bytes, request, end)) return false;
    requestEnd = text.indexOf('"', request);
    const referrer = requestEnd === -1 ? -1 : afterStatusAndSize(bytes, requestEnd, end);
    if (referrer === -1) return false;
    const referrerEnd = text.indexOf('"', referrer);
    agent = referrerEnd + 3;
    if (referrerEnd === -1 || agent >= end || !isBetween(bytes, referrerEnd + 1)) return false;
    agentEnd = text.indexOf('"', agent);
    // What is looked for may be found in a later line: that the last quote is not says it of all.
    if (agentEnd <= agent || agentEnd >= end) return false;
    return agentEnd > agent + 1 || bytes.getUint8(agent) !== minus;
  }

  /** Whether there is a time in its brackets, and a quote behind. Neighbours are of the same second. */
  function isTime(text: string, bytes: DataView, place: number): boolean {
    if (!isBetween(bytes, place + timeLength)) return false;
    let word = 0;
    while (word < knownTime.length && bytes.getInt32(place + 4 * word, true) === knownTime[word])
      word++;
    if (word === knownTime.length) return true;
    const written = text.slice(place, place + timeLength);
    const atMs = written.endsWith(']') ? parseTime(written.slice(1, -1)) : undefined;
    if (atMs === undefined) return false;
    knownMs = atMs;
    for (word = 0; word < knownTime.length; word++)
      knownTime[word] = bytes.getInt32(place + 4 * word, true);
    return true;
  }

  function parse(line: WrittenLine, userAgent: string): ReturnType<LogFormat['parse']> {
    const { bytes, start, end } = line;
    const request = time + requestOffset - start;
    const beginning = copyOf({ bytes, start, end: requestEnd });
    const after = agentEnd + 1 < end ? copyOf({ bytes, start: agentEnd + 1, end }) : '';
    const sides = readSides(beginning.slice(0, time - start), after);
    const asked = readRequestLine(beginning.slice(request));
    if (sides === undefined) return undefined;
    if (asked === undefined) return 'no_request';
    return {
      atMs: knownMs,
      host: hostOf(sides.host),
      address: sides.address,
      forwardedFor: sides.forwardedFor,
      method: asked.method,
      target: asked.target,
      status: statusAt(bytes, requestEnd + 2),
      userAgent,
      signature: null,
    };
  }
}

/** The first bracket; the end where there is none before the first quote. */
function findBracket(bytes: DataView, start: number, end: number): number {
  for (let place = start; place < end; place++) {
    const code = bytes.getUint8(place);
    if (code === bracket) return place;
    if (code === quote) break;
  }
  return end;
}

/** Whether ` "` stands here. */
function isBetween(bytes: DataView, place: number): boolean {
  return bytes.getUint8(place) === space && bytes.getUint8(place + 1) === quote;
}

/** A method and a target that is a path; what stands behind it may be anything. */
function isRequest(bytes: DataView, start: number, end: number): boolean {
  const methodEnd = Math.min(start + methodLengthMax, end - 2);
  let place = start;
  while (place < methodEnd && isLetter(bytes.getUint8(place))) place++;
  // Where there is a method, two bytes of the line are behind it.
  return place > start && bytes.getUint8(place) === space && bytes.getUint8(place + 1) === slash;
}

/** Past the quote behind ` 200 2326 "`, either of which may be `-`; -1 where that does not stand here. */
function afterStatusAndSize(bytes: DataView, quoteBefore: number, end: number): number {
  const status = quoteBefore + 2;
  if (status + 5 >= end || bytes.getUint8(status - 1) !== space) return -1;
  const length = statusLength(bytes, status);
  const size = status + length + 1;
  if (length === 0 || bytes.getUint8(size - 1) !== space) return -1;
  let sizeEnd = size;
  while (sizeEnd < end && bytes.getUint8(sizeEnd) > space) sizeEnd++;
  return sizeEnd > size && sizeEnd < end - 1 && isBetween(bytes, sizeEnd) ? sizeEnd + 2 : -1;
}

/** The length of `200` or `-`; 0 where neither stands here. */
function statusLength(bytes: DataView, place: number): number {
  if (bytes.getUint8(place) === minus) return 1;
  const areDigits =
    isDigit(bytes.getUint8(place)) &&
    isDigit(bytes.getUint8(place + 1)) &&
    isDigit(bytes.getUint8(place + 2));
  return areDigits ? 3 : 0;
}

/** Three digits; null for `-`, and for 0, which is what is written for a request that was never answered. */
function statusAt(bytes: DataView, place: number): number | null {
  if (bytes.getUint8(place) === minus) return null;
  const digit = (at: number) => bytes.getUint8(at) - zero;
  const status = digit(place) * 100 + digit(place + 1) * 10 + digit(place + 2);
  return status === 0 ? null : status;
}
