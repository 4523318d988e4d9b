import type { Refusal } from '../refusals.ts';

/** The result of one check of a database. */
export interface Finding {
  /** A short name that stays the same: `schema`, `disk`. */
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  /** One sentence: what was found. */
  readonly message: string;
  /** What to do about the finding; null if nothing. */
  readonly advice: string | null;
  /** Why the check was refused. It contains the advice and, if `message` is empty, the finding. */
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

/** Makes a finding of a problem that a refusal explains, after its own sentence if there is one. */
export function refusalProblem(check: string, refusal: Refusal, message: string = ''): Finding {
  return { check, state: 'problem', message, advice: null, refusal };
}
