import { LRUCache } from 'lru-cache';
import { dayMs } from '../values/time/utc-day.ts';

const windowMs = 60_000;
/** Most guesses of one network per minute. */
const networkMax = 20;
/** Guesses for one account before each further one must wait. */
const freeGuesses = 5;
const waitMaxMs = 15 * 60_000;
const rememberedMs = dayMs;

/** Counts a guess. Returns the seconds to wait, or undefined if the guess may be made. */
export interface GuessLimit {
  note(guess: { network: string; account: string }): number | undefined;
  /** Forgets the guesses for an account after a right one. */
  forget(account: string): void;
}

/**
 * Limits how fast passwords can be guessed, in this process: per network by the minute, and per
 * account by waits that double with each wrong guess. A guess counts before it is checked, so that
 * many simultaneous guesses gain nothing.
 */
export function createGuessLimit(clock: () => number): GuessLimit {
  // Not `max`, because it allocates all entries at once.
  const sizeCalculation = () => 1;
  const networks = new LRUCache<string, { startMs: number; guesses: number }>({
    maxSize: 10_000,
    sizeCalculation,
  });
  const accounts = new LRUCache<string, { lastMs: number; guesses: number }>({
    maxSize: 50_000,
    sizeCalculation,
  });

  return { note, forget: (account) => void accounts.delete(account) };

  function note({ network, account }: { network: string; account: string }): number | undefined {
    const nowMs = clock();
    const window = networks.get(network);
    const isOpen = window !== undefined && isWithin(nowMs - window.startMs, windowMs);
    if (isOpen && window.guesses >= networkMax) {
      return seconds(window.startMs + windowMs - nowMs);
    }
    const attempts = accounts.get(account);
    const guesses =
      attempts !== undefined && isWithin(nowMs - attempts.lastMs, rememberedMs)
        ? attempts.guesses
        : 0;
    const waitMs =
      guesses < freeGuesses ? 0 : Math.min(waitMaxMs, 1000 * 2 ** (guesses - freeGuesses));
    const leftMs = (attempts?.lastMs ?? 0) + waitMs - nowMs;
    if (guesses >= freeGuesses && leftMs > 0) return seconds(leftMs);
    networks.set(network, {
      startMs: isOpen ? window.startMs : nowMs,
      guesses: (isOpen ? window.guesses : 0) + 1,
    });
    accounts.set(account, { lastMs: nowMs, guesses: guesses + 1 });
    return undefined;
  }
}

/** Whether an age is within a limit. After a clock was set back, it is not. */
function isWithin(ageMs: number, lastsMs: number): boolean {
  return ageMs >= 0 && ageMs < lastsMs;
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
