/** Milliseconds of a UTC day. Unix time has no leap seconds. */
export const dayMs = 86_400_000;

/** The UTC day of a moment in milliseconds since 1970, such as `2026-11-20`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The day some days after another one. */
export function addDays(day: string, days: number): string {
  return utcDay(Date.parse(day) + days * dayMs);
}

/** The smallest text of a moment in a UTC day. */
export function startOfDay(day: string): string {
  return `${day}T`;
}

/**
 * A text that sorts right after all moments of a UTC day: they have a `T` at this place, and `U` is
 * next.
 */
export function endOfDay(day: string): string {
  return `${day}U`;
}
