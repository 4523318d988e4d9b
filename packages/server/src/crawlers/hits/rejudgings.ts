import { sql } from 'kysely';
import type { Reason } from '../verify/verdict.ts';
import { likeReason } from './reasons.ts';

export type Sql = ReturnType<typeof sql>;

export const siteName = sql`coalesce(host, '')`;
export const isDoubted = sql`overruled_by = 'many_operators'`;
export const isExcused = sql`overruled_by = 'none_verified'`;
export const isAccusation = sql`verification = 'spoofed' and not ${isOf('never_sent')}`;

export interface Rejudging {
  /** By whose names the hits are chosen. */
  readonly of: Sql;
  readonly where: Sql;
  readonly set: Sql;
}

/** How hits are overruled by others of their day, and how no longer. */
export const rejudgings = {
  doubt: {
    of: sql`address_group`,
    where: sql`verification = 'unverified' and overruled_by is null`,
    set: isDoubted,
  },
  trust: {
    of: sql`address_group`,
    where: isDoubted,
    set: sql`overruled_by = null`,
  },
  withhold: {
    of: siteName,
    where: isAccusation,
    set: sql`verification = 'unverified', ${isExcused}`,
  },
  restore: {
    of: siteName,
    where: isExcused,
    set: sql`verification = 'spoofed', overruled_by = null`,
  },
} as const satisfies Readonly<Record<string, Rejudging>>;

export function isOf(reason: Reason): Sql {
  return sql`evidence like ${likeReason(reason)}`;
}

export function sumIf(condition: Sql): Sql {
  return sql`cast(sum(case when ${condition} then 1 else 0 end) as integer)`;
}
