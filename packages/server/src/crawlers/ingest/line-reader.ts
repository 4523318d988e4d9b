import type { Bot } from '../bots/catalogue.ts';
import type { FileFormats } from '../formats/all.ts';
import type { LogLine, SkipReason } from '../log-line.ts';
import { cutOut } from '../written-line.ts';
import type { WrittenLine } from '../written-line.ts';
import type { AgentMemo } from './agent-memo.ts';

/** What a line turned out to be. */
export type LineOutcome =
  | { readonly kind: 'other' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'hit'; readonly bot: Bot; readonly line: LogLine };

export interface LineReader {
  read(line: WrittenLine): LineOutcome;
  /** Reads every part of a line, whoever asked; undefined where it cannot be read. */
  parse(line: WrittenLine): LogLine | undefined;
  /** The `#Fields` line in force; null where there has been none. */
  readonly directive: string | null;
  /** Puts a `#Fields` line in force, for a file that is read on from its middle. */
  direct(line: string): void;
}

const other: LineOutcome = { kind: 'other' };

/**
 * Reads the lines of one file: tells their format, most often the one of the line before, and the bot
 * that each claims to be. A line whose user agent names no bot is not read any further.
 */
export function createLineReader(
  formats: FileFormats,
  {
    agents,
    findSigner = () => undefined,
  }: {
    agents: AgentMemo;
    /** The bot whose signature a line carries. */
    findSigner?: (line: LogLine) => Bot | undefined;
  },
): LineReader {
  let current = formats.candidates[0];
  let directive: string | null = null;
  return {
    read,
    parse,
    direct,
    get directive() {
      return directive;
    },
  };

  function read(line: WrittenLine): LineOutcome {
    const plain = current?.plain;
    if (plain === undefined || !plain.find(line)) return readWhole(textOf(line));
    const { text, bot } = agents.findIn(line.bytes, plain.agent, plain.agentEnd);
    if (bot === undefined) return other;
    const request = plain.parse(line, text);
    return typeof request === 'object'
      ? { kind: 'hit', bot, line: request }
      : readWhole(textOf(line));
  }

  function readWhole(text: string): LineOutcome {
    if (text.trim() === '') return { kind: 'skipped', reason: 'blank' };
    if (text.startsWith('#')) {
      direct(text);
      return { kind: 'skipped', reason: 'blank' };
    }
    const line = parseText(text);
    if (typeof line === 'string') return { kind: 'skipped', reason: line };
    const { bot } = agents.find(line.userAgent);
    if (bot !== undefined) return { kind: 'hit', bot, line };
    const signer = line.signature === null ? undefined : findSigner(line);
    return signer === undefined ? other : { kind: 'hit', bot: signer, line };
  }

  function parse(written: WrittenLine): LogLine | undefined {
    const line = parsePlain(written) ?? parseText(textOf(written));
    return typeof line === 'object' ? line : undefined;
  }

  function parsePlain(line: WrittenLine): LogLine | SkipReason | undefined {
    const plain = current?.plain;
    if (plain === undefined || !plain.find(line)) return undefined;
    return plain.parse(line, agents.findIn(line.bytes, plain.agent, plain.agentEnd).text);
  }

  function parseText(text: string): LogLine | SkipReason {
    const mine = current?.parse(text);
    if (mine !== undefined && mine !== 'unknown_format') return mine;
    let reason: SkipReason = 'unknown_format';
    for (const format of formats.candidates) {
      if (format === current) continue;
      const line = format.parse(text);
      if (line === undefined) continue;
      if (typeof line !== 'string' || line !== 'no_fields') current = format;
      if (typeof line !== 'string') return line;
      reason = line;
      break;
    }
    return reason;
  }

  function direct(line: string): void {
    if (!formats.w3c.direct(line)) return;
    directive = line;
    if (formats.candidates.includes(formats.w3c)) {
      current = formats.w3c;
    }
  }
}

/** A copy: what is kept of a part of a chunk keeps the whole chunk in memory. */
function textOf(line: WrittenLine): string {
  return decodeLine(cutOut(line));
}

/** The text of a line whose bytes are given as Latin-1, without the mark that some files begin with. */
export function decodeLine(raw: string): string {
  return Buffer.from(raw, 'latin1')
    .toString('utf8')
    .replace(/^\ufeff/, '');
}
