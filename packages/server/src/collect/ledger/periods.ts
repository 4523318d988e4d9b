/** The ledgers of paid questions: readings become runs, judgements become stances. */
export type PaidTable = 'readings' | 'judgements';

/**
 * The budget periods of a UTC day: `2026-11-20` and `2026-11`, of judgements `stance 2026-11-20`. The
 * day always comes first, because transactions that lock both in different orders could deadlock.
 */
export function periodsOf(day: string, table?: PaidTable): [day: string, month: string] {
  const before = table === 'judgements' ? 'stance ' : '';
  return [`${before}${day}`, `${before}${day.slice(0, 7)}`];
}
