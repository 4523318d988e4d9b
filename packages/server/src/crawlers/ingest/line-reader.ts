import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';
import type { FileFormats } from '../formats/all.ts';
import type { LogLine, SkipReason } from '../log-line.ts';

/** What a line turned out to be. */
export type LineOutcome =
  | { readonly kind: 'other' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'hit'; readonly bot: Bot; readonly line: LogLine };

export interface LineReader {
  read(line: string): LineOutcome;
  /** The line in force that names columns: `#Fields`, or the header of CSV; null if there is none. */
  readonly directive: string | null;
  /** Puts such a line in force, for a file that is read on from its middle. */
  direct(line: string): boolean;
}

const other: LineOutcome = { kind: 'other' };
const blank: LineOutcome = { kind: 'skipped', reason: 'blank' };

/**
 * Reads the lines of one file: recognises their format, most often the one of the line before, and the
 * bot that each claims to be. A line whose user agent names no bot is not read any further.
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
  let current = formats.candidates[0];
  let directive: string | null = null;
  return {
    read,
    direct,
    get directive() {
      return directive;
    },
  };

  function read(line: string): LineOutcome {
    const userAgent = current?.userAgentOf?.(line);
    if (userAgent !== undefined && recognise(userAgent) === undefined) return other;
    if (line === '') return blank;
    // A hit lives on: a slice would keep the whole piece of the log in memory.
    return readWhole(
      Buffer.from(line)
        .toString()
        .replace(/^\ufeff/, ''),
    );
  }

  function readWhole(text: string): LineOutcome {
    const isComment = text.startsWith('#');
    if (isComment) direct(text);
    if (isComment || text.trim() === '') return blank;
    const line = parse(text);
    if (line === 'unknown_format' && direct(text)) return blank;
    if (typeof line === 'string') return { kind: 'skipped', reason: line };
    const bot =
      recognise(line.userAgent) ?? (line.signature === null ? undefined : findSigner(line));
    return bot === undefined ? other : { kind: 'hit', bot, line };
  }

  function parse(text: string): LogLine | SkipReason {
    const mine = current?.parse(text);
    if (typeof mine === 'object') return mine;
    let reason = mine;
    for (const format of formats.candidates) {
      if (format === current) continue;
      const line = format.parse(text);
      if (typeof line === 'object') {
        current = format;
        return line;
      }
      reason ??= line;
    }
    return reason ?? 'unknown_format';
  }

  /** Returns whether the line names the columns of the lines after it. */
  function direct(line: string): boolean {
    const format = formats.direct(line);
    if (format === undefined) return false;
    directive = line;
    current = format;
    return true;
  }
}
