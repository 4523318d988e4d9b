/**
 * The periods of a UTC day that have a budget: the day first, because transactions that lock both in
 * another order could wait for each other for ever.
 */
export function periodsOf(day: string): [day: string, month: string] {
  return [day, day.slice(0, 7)];
}
