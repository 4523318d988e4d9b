/** Milliseconds of a UTC day. It has no leap second in Unix time. */
export const dayMs = 86_400_000;

/** The UTC day of a moment in milliseconds since 1970, such as `2026-11-20`. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
