import { dayOf, lossDay, prompts, today } from './workspace.ts';
import type { PlannedHit, PlannedRun } from './workspace.ts';

/** What was planned. */
export interface Plan {
  readonly runs: readonly PlannedRun[];
  readonly hits: readonly PlannedHit[];
}

/** Counted runs of a period that pass. */
export function counted({ runs }: Plan, [from, to]: readonly [string, string], where: Where = {}) {
  return runs.filter(
    ({ day, engine, outcome, prompt }) =>
      day >= from &&
      day <= to &&
      outcome === 'answered' &&
      prompts[prompt]?.isBranded === false &&
      (where.engine === undefined || engine === where.engine) &&
      (where.isOfApp !== true || !engine.endsWith('_api')) &&
      (where.locale === undefined || prompts[prompt]?.locale === where.locale) &&
      (where.prompt === undefined || prompt === where.prompt) &&
      (where.isPlain !== true || !prompts[prompt]?.namesGlobex),
  );
}

export interface Where {
  readonly engine?: string;
  readonly isOfApp?: boolean;
  readonly locale?: string;
  readonly prompt?: number;
  readonly isPlain?: boolean;
}

export const period = [lossDay, today] as const;
export const whole = [dayOf(69), today] as const;

export const isCited = (run: PlannedRun, name: string): boolean =>
  run.named.includes(name) || (name === 'Acme' && run.isLinked);
