import { sql } from 'kysely';
import type { ExpressionBuilder, RawBuilder } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Reason } from '../verify/verdict.ts';

/**
 * Reasons by which other hits overrule a hit's own verdict. The overruling evidence contains the
 * hit's own.
 */
const overrulings = ['none_verified', 'many_operators'] as const;
type Overruling = (typeof overrulings)[number];

/** Reasons that only an operator's list can decide, so the address is kept until the list comes. */
export const wantingList: readonly Reason[] = ['no_list', 'list_pending'];
const undecidedReasons: readonly Reason[] = [
  ...wantingList,
  'operators_other_network',
  'dns_pending',
];

/** Reasons that newer lists may change. */
export const judgedAgain: readonly Reason[] = [
  ...undecidedReasons,
  'lists_disagree',
  'not_authoritative',
  'not_in_list',
  'wrong_host_name',
  'none_verified',
  'proxy_address',
];

/** Wraps a hit's own evidence in the reason that overrules it. */
export function overrule(own: string, reason: Overruling): string {
  return `${openingOf(reason)}${own}}`;
}

/** The reason that overrules a hit, and the hit's own evidence. Undefined if nothing overrules it. */
export function readOverruled(evidence: string) {
  const reason = overrulings.find((candidate) => evidence.startsWith(openingOf(candidate)));
  return reason && { reason, own: evidence.slice(openingOf(reason).length, -1) };
}

/** `overrule` in SQL, for the evidence of a row. */
export function overruleInSql(reason: Overruling): RawBuilder<string> {
  return sql`cast(${openingOf(reason)} as text) || evidence || '}'`;
}

/** The hit's own evidence in SQL, for a row that this reason overrules. */
export function ownInSql(reason: Overruling): RawBuilder<string> {
  const opening = sql.lit(openingOf(reason).length + 1);
  return sql`substr(evidence, ${opening}, length(evidence) - ${opening})`;
}

export function hasReason(evidence: string, reasons: readonly Reason[]): boolean {
  return reasons.some((reason) => evidence.startsWith(`{"reason":"${reason}"`));
}

/** Whether a newer list or a look-up may decide. */
export function isUndecided(evidence: string): boolean {
  return hasReason(evidence, undecidedReasons);
}

/** Whether a row's own verdict has one of these reasons, overruled or not. */
export function hasOwnReason(
  where: ExpressionBuilder<DataTables, 'hits'>,
  reasons: readonly Reason[],
) {
  const patterns = reasons.flatMap((reason) => [
    likeReason(reason),
    `${openingOf('many_operators')}${likeReason(reason)}`,
  ]);
  return where.or(patterns.map((pattern) => where('evidence', 'like', pattern)));
}

/** Matches evidence of a reason in SQL's `like`. */
export function likeReason(reason: Reason): string {
  return `{"reason":"${reason}"%`;
}

function openingOf(reason: Overruling): string {
  return `{"reason":"${reason}","own":`;
}
