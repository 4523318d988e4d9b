import type { Bot } from '../bots/catalogue.ts';
import type { Recogniser } from '../bots/recognise.ts';
import type { FileFormats } from '../formats/file-formats.ts';
import type { LogLine, SkipReason } from '../log-line.ts';
import { engineOf } from '../referrals/engines.ts';
import type { Verifier } from '../verify/verifier.ts';

export type LineOutcome =
  | { readonly kind: 'other' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'referral'; readonly line: LogLine }
  | { readonly kind: 'hit'; readonly bot: Bot; readonly line: LogLine };

export type LineReader = ReturnType<typeof createLineReader>;

const other: LineOutcome = { kind: 'other' };
const blank: LineOutcome = { kind: 'skipped', reason: 'blank' };

/**
 * Makes a reader of one file's lines: it recognises the bot that each line names. It reads a line no
 * further if its user agent names no bot and no answer sent its visitor.
 */
export function createLineReader(
  formats: FileFormats,
  rules: { readonly recognise: Recogniser; readonly verifier?: Pick<Verifier, 'findSigner'> },
) {
  let directive: string | null = null;
  return {
    read,
    readDirective,
    /** The line that names the columns: `#Fields`, or the header of CSV. Null if there is none. */
    get directive() {
      return directive;
    },
  };

  function read(line: string): LineOutcome {
    const glance = formats.glanceAt(line);
    const isPersons = glance !== undefined && rules.recognise(glance.userAgent) === undefined;
    if (isPersons && engineOf(glance.referer, glance.target) === undefined) return other;
    if (line === '') return blank;
    // A hit outlives its line. Copy the line, because a slice keeps the whole chunk in memory.
    const copy = Buffer.from(line).toString();
    return readWhole(copy.startsWith('\ufeff') ? copy.slice(1) : copy);
  }

  function readWhole(text: string): LineOutcome {
    const isComment = text.startsWith('#');
    if (isComment) readDirective(text);
    if (isComment || text.trim() === '') return blank;
    const line = formats.parse(text);
    if (line === 'unknown_format' && readDirective(text)) return blank;
    if (typeof line === 'string') return { kind: 'skipped', reason: line };
    const signer = line.signature === null ? undefined : rules.verifier?.findSigner(line);
    const bot = rules.recognise(line.userAgent) ?? signer;
    if (bot !== undefined) return { kind: 'hit', bot, line };
    return engineOf(line.referer, line.target) === undefined ? other : { kind: 'referral', line };
  }

  /** Takes such a line, to read on from the middle of a file. Returns false for any other line. */
  function readDirective(line: string): boolean {
    if (!formats.readDirective(line)) return false;
    directive = line;
    return true;
  }
}
