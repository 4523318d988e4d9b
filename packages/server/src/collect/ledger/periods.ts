/**
 * The budget periods of a UTC day. The day always comes first, because transactions that lock both
 * in different orders could deadlock.
 */
export function periodsOf(day: string): [day: string, month: string] {
  return [day, day.slice(0, 7)];
}
