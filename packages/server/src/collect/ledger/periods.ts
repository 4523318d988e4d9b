/**
 * The budget periods of a UTC day: `2026-11-20` and `2026-11`, of another budget than that of
 * readings `stance 2026-11-20`. The day always comes first, because transactions that lock both in
 * different orders could deadlock.
 */
export function periodsOf(day: string, budget?: 'stance'): [day: string, month: string] {
  const before = budget === undefined ? '' : `${budget} `;
  return [`${before}${day}`, `${before}${day.slice(0, 7)}`];
}
