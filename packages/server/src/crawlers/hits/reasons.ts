import { sql } from 'kysely';
import type { Reason } from '../verify/verdict.ts';

/** Reasons that only an operator's list can decide, so the address is kept until the list comes. */
export const wantingList: readonly Reason[] = ['no_list', 'list_pending'];
const undecidedReasons: readonly Reason[] = [
  ...wantingList,
  'operators_other_network',
  'dns_pending',
];

/** Reasons by which a hit's address refutes its claim. */
export const refutedReasons: readonly Reason[] = ['not_in_list', 'wrong_host_name'];

/** Reasons that newer lists may change. */
export const judgedAgain: readonly Reason[] = [
  ...undecidedReasons,
  'lists_disagree',
  'other_family',
  'not_authoritative',
  ...refutedReasons,
  'masked_address',
  'proxy_address',
];

export function hasReason(evidence: string, reasons: readonly Reason[]): boolean {
  return reasons.some((reason) => evidence.startsWith(`{"reason":"${reason}"`));
}

/** Whether a newer list or a look-up may decide. */
export function isUndecided(evidence: string): boolean {
  return hasReason(evidence, undecidedReasons);
}

/** The condition that the own verdict of a hit has one of these reasons. */
export function isOf(...reasons: readonly string[]) {
  const each = reasons.map((reason) => sql`evidence like ${`{"reason":"${reason}"%`}`);
  return sql<boolean>`(${sql.join(each, sql` or `)})`;
}
