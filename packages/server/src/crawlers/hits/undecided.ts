import type { ExpressionBuilder } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Reason } from '../verify/verdict.ts';
import { likeReason, overrule } from './overrule.ts';

/** Reasons for want of a list: the next one decides, and needs the address. */
export const wantingList: readonly Reason[] = ['no_list', 'list_pending'];
/** Reasons that a newer list or a look-up may change, too. */
const undecidedReasons: readonly Reason[] = [
  ...wantingList,
  'operators_other_network',
  'dns_pending',
];

/** Whether evidence is of a verdict that a newer list or a look-up may decide. */
export function isUndecided(evidence: string): boolean {
  return undecidedReasons.some((reason) => evidence.startsWith(`{"reason":"${reason}"`));
}

/** Reasons of hits that are judged again when there are newer lists: these agree, object or decide. */
export const judgedAgain: readonly Reason[] = [
  ...undecidedReasons,
  'lists_disagree',
  'not_authoritative',
  'not_in_list',
  'wrong_host_name',
  'none_verified',
  'proxy_address',
];

/** Whether a row's own verdict has one of these reasons, overruled or not. */
export function hasOwnReason(
  where: ExpressionBuilder<DataTables, 'hits'>,
  reasons: readonly Reason[],
) {
  const patterns = reasons.flatMap((reason) => [
    likeReason(reason),
    overrule(likeReason(reason), 'many_operators').slice(0, -1),
  ]);
  return where.or(patterns.map((pattern) => where('evidence', 'like', pattern)));
}
