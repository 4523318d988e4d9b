import type { Bot } from '../bots/catalogue.ts';
import { isBrowser } from '../bots/is-browser.ts';
import type { Recogniser } from '../bots/recognise.ts';
import type { FileFormats } from '../formats/file-formats.ts';
import { parseTime } from '../formats/time.ts';
import type { LogLine, SkipReason } from '../log-line.ts';
import { engineOf } from '../referrals/engines.ts';
import type { Verifier } from '../verify/verifier.ts';
import type { ForwardedLine } from './client-address.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** What is read of a person's line. */
export type VisitorLine = ForwardedLine & Pick<LogLine, 'host' | 'target' | 'status'>;

export type LineOutcome =
  | { readonly kind: 'other' }
  /** A line of a person's browser. */
  | { readonly kind: 'visitor'; readonly line: VisitorLine }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'referral'; readonly line: LogLine }
  | { readonly kind: 'hit'; readonly bot: Bot; readonly line: LogLine };

export type LineReader = ReturnType<typeof createLineReader>;

const other: LineOutcome = { kind: 'other' };
const blank: LineOutcome = { kind: 'skipped', reason: 'blank' };

/** The target of a usual line, which may have the version behind it. */
function withoutVersion(target: string): string {
  const end = target.lastIndexOf(' HTTP/');
  return (end === -1 ? target : target.slice(0, end)).trimEnd();
}

/** A line that names no other client. */
function visitorLine(
  line: Pick<VisitorLine, 'atMs' | 'address' | 'host' | 'target' | 'status'>,
): VisitorLine {
  const none = null;
  const { atMs, address, host, target, status } = line;
  return {
    atMs,
    address,
    host,
    target,
    status,
    forwardedFor: none,
    forwarded: none,
    cfConnectingIp: none,
    trueClientIp: none,
    originAuth: none,
  };
}

/**
 * Makes a reader of one file's lines: it recognises the bot that each line names. It reads a line no
 * further if its user agent names no bot and no answer sent its visitor; but if proxies are trusted, the
 * visitor's address is in a header.
 */
export function createLineReader(
  formats: FileFormats,
  rules: {
    readonly recognise: Recogniser;
    readonly verifier?: Pick<Verifier, 'findSigner'>;
    readonly proxies?: TrustedProxies | undefined;
  },
) {
  let directive: string | null = null;
  let [minute, zone, minuteMs] = ['', '', 0];
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
    if (isPersons && engineOf(glance.referer, glance.target) === undefined) {
      if (!isBrowser(glance.userAgent)) return other;
      const { address, time, host } = glance;
      const atMs = minuteOf(time);
      const isEnough = address !== undefined && rules.proxies === undefined && atMs !== undefined;
      if (isEnough) {
        const [target, status] = [withoutVersion(glance.target), Number(glance.status) || null];
        return { kind: 'visitor', line: visitorLine({ atMs, address, host, target, status }) };
      }
    }
    if (line === '') return blank;
    // A hit outlives its line. Copy the line, because a slice keeps the whole chunk in memory.
    const copy = Buffer.from(line).toString();
    return readWhole(copy.startsWith('\ufeff') ? copy.slice(1) : copy);
  }

  /** The minute of a time as NCSA writes it, which is enough to know the day. */
  function minuteOf(time: string): number | undefined {
    if (!time.startsWith(minute) || !time.endsWith(zone) || minute === '') {
      const ms = parseTime(time);
      if (ms === undefined) return undefined;
      [minute, zone, minuteMs] = [time.slice(0, 17), time.slice(20), ms];
    }
    return minuteMs;
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
    if (engineOf(line.referer, line.target) !== undefined) return { kind: 'referral', line };
    return isBrowser(line.userAgent) ? { kind: 'visitor', line } : other;
  }

  /** Takes such a line, to read on from the middle of a file. Returns false for any other line. */
  function readDirective(line: string): boolean {
    if (!formats.readDirective(line)) return false;
    directive = line;
    return true;
  }
}
