import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Store } from './store.ts';

/**
 * The current moment on the database's own clock, in stored form. Use it for times that several
 * servers compare, because their own clocks may differ.
 */
export function storeMoment(
  { dialect }: Pick<Store, 'dialect'>,
  { secondsAgo = 0 } = {},
): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql`to_char(now() at time zone 'utc' - make_interval(secs => ${secondsAgo}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${-secondsAgo} || ' seconds')`;
}
