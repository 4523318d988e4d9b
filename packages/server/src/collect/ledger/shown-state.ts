import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ReadingState } from '../../storage/tables/ledger-tables.ts';

/**
 * The state of a reading on a UTC day. A planned reading of a past day is missed, because today's
 * answer cannot stand for yesterday's. Nothing writes that: a process whose clock is ahead would end
 * the readings of the others.
 */
export function shownState(today: string): RawBuilder<ReadingState> {
  return sql<ReadingState>`case when state = 'planned' and day < ${sql.lit(today)} then 'missed' else state end`;
}
