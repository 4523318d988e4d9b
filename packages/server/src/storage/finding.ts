import type { Refusal } from '../refusals.ts';

/** What one check of a database found. */
export interface Finding {
  /** A short name that stays the same: `schema`, `disk`. */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  /** One sentence: what was found. */
  readonly message: string;
  /** What to do about it; null if nothing is to be done. */
  readonly advice: string | null;
  /** Why the check was refused: what to do, and what was found if `message` is empty. */
  readonly refusal?: Refusal;
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message, advice: null };
}

export function warning(check: string, message: string, advice: string): Finding {
  return { check, state: 'warning', message, advice };
}

export function problem(check: string, message: string, advice: string): Finding {
  return { check, state: 'problem', message, advice };
}

/** A problem that a refusal explains, after a sentence of its own if there is one. */
export function refused(check: string, refusal: Refusal, message: string = ''): Finding {
  return { check, state: 'problem', message, advice: null, refusal };
}
