/** Milliseconds of a UTC day. It has no leap second in Unix time. */
export const dayMs = 86_400_000;

/** The UTC day of a moment in milliseconds since 1970, such as `2026-11-20`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The day that lies some days after another one. */
export function addDays(day: string, days: number): string {
  return utcDay(Date.parse(day) + days * dayMs);
}

/** Where a UTC day begins in the text order of stored moments. */
export function startOfDay(day: string): string {
  return `${day}T`;
}

/**
 * Where a UTC day ends in that order, excluded: its moments have a `T` there, and `U` comes next.
 */
export function endOfDay(day: string): string {
  return `${day}U`;
}
