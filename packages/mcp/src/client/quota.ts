import type { Quota } from '@overheard/tools';

/** Reads a `RateLimit` field such as `"scores";r=299;t=12`. Returns undefined if the field names no quota. */
export function readQuota(headers: Headers): Quota | undefined {
  const field = headers.get('ratelimit') ?? '';
  const left = /;\s*r=(\d{1,9})/.exec(field)?.[1];
  const seconds = /;\s*t=(\d{1,9})/.exec(field)?.[1];
  if (left === undefined) return undefined;
  return { left: Number(left), resets_in_s: Number(seconds ?? 0) };
}

/** Reads `Retry-After` in seconds, at least one, given as such or as a date; undefined if it is missing. */
export function readRetryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after') ?? '';
  if (/^\d{1,15}$/.test(field)) return Math.max(1, Number(field));
  // Proxies give a date. Compare it with their own date, so that our clock does not matter.
  const milliseconds = Date.parse(field) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(milliseconds) ? undefined : Math.max(1, Math.ceil(milliseconds / 1000));
}
