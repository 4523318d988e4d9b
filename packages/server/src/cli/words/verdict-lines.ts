import { reasons } from '../../crawlers/verify/verdict.ts';
import type { Evidence } from '../../crawlers/verify/verdict.ts';

/** A verdict with its reason, and the facts that it depends on. */
export function verdictLines(verification: string, { reason, ...facts }: Evidence): string[] {
  return [
    `${verification}: ${reasons[reason]} (${reason})`,
    ...Object.entries(facts).map(([name, value]) => `  ${name} ${value}`),
  ];
}
