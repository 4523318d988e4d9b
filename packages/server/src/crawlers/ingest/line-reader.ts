import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';
import type { FileFormats } from '../formats/all.ts';
import type { LogFormat, Span } from '../formats/format.ts';
import type { LogLine, SkipReason } from '../log-line.ts';
import { createAgentMemo } from './agent-memo.ts';

/** What a line turned out to be. */
export type LineOutcome =
  | { readonly kind: 'other' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'hit'; readonly bot: Bot; readonly line: LogLine; readonly isSigned: boolean };

export interface LineReader {
  /** Reads the line at `start` to `end`, without its newline. */
  read(bytes: Buffer, start: number, end: number): LineOutcome;
  /** Reads every part of a line, whoever asked; undefined where it cannot be read. */
  parse(bytes: Buffer, start: number, end: number): LogLine | undefined;
  /** The `#Fields` line in force; null where there has been none. */
  readonly directive: string | null;
  /** Puts a `#Fields` line in force, for a file that is read on from its middle. */
  direct(line: string): void;
}

const other: LineOutcome = { kind: 'other' };
const hash = 0x23;

/**
 * Reads the lines of one file: tells their format, most often the one of the line before, and the bot
 * that each claims to be. A line whose user agent names no bot is not read any further.
 */
export function createLineReader(
  formats: FileFormats,
  {
    recognise,
    findSigner = () => undefined,
  }: {
    recognise: Recogniser;
    /** The bot whose signature a line carries. */
    findSigner?: (line: LogLine) => Bot | undefined;
  },
): LineReader {
  const found: Span = { start: 0, end: 0 };
  let current = formats.candidates[0];
  let memo = current === undefined ? undefined : createAgentMemo(recognise, current);
  let directive: string | null = null;
  return {
    read,
    parse,
    direct,
    get directive() {
      return directive;
    },
  };

  function read(bytes: Buffer, start: number, end: number): LineOutcome {
    if (current?.locateUserAgent(bytes, start, end, found) === true) {
      const bot = memo?.find(bytes, found.start, found.end);
      if (bot === undefined) return other;
    }
    return readWhole(bytes, start, end);
  }

  function readWhole(bytes: Buffer, start: number, end: number): LineOutcome {
    if (isBlank(bytes, start, end)) return { kind: 'skipped', reason: 'blank' };
    const text = bytes.toString('utf8', start, end);
    if (bytes[start] === hash) {
      direct(text);
      return { kind: 'skipped', reason: 'blank' };
    }
    const line = parseText(text);
    if (typeof line === 'string') return { kind: 'skipped', reason: line };
    const bot = recognise(line.userAgent);
    if (bot !== undefined) return { kind: 'hit', bot, line, isSigned: line.signature !== null };
    const signer = line.signature === null ? undefined : findSigner(line);
    return signer === undefined ? other : { kind: 'hit', bot: signer, line, isSigned: true };
  }

  function parse(bytes: Buffer, start: number, end: number): LogLine | undefined {
    const line = parseText(bytes.toString('utf8', start, end));
    return typeof line === 'string' ? undefined : line;
  }

  function parseText(text: string): LogLine | SkipReason {
    const mine = current?.parse(text);
    if (mine !== undefined && mine !== 'unknown_format') return mine;
    let reason: SkipReason = 'unknown_format';
    for (const format of formats.candidates) {
      if (format === current) continue;
      const line = format.parse(text);
      if (line === undefined) continue;
      if (typeof line !== 'string' || line !== 'no_fields') follow(format);
      if (typeof line !== 'string') return line;
      reason = line;
      break;
    }
    return reason;
  }

  function follow(format: LogFormat): void {
    if (format === current) return;
    current = format;
    memo = createAgentMemo(recognise, format);
  }

  function direct(line: string): void {
    if (!formats.w3c.direct(line)) return;
    directive = line;
    if (formats.candidates.includes(formats.w3c)) {
      current = undefined;
      follow(formats.w3c);
    }
  }
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const byte = bytes[index] ?? 0;
    if (byte !== 0x20 && byte !== 0x09) return false;
  }
  return true;
}
