import { sql } from 'kysely';
import type { ExpressionBuilder, RawBuilder } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Reason } from '../verify/verdict.ts';

/** Reasons by which other hits overrule a hit's own verdict. Its own evidence is then inside theirs. */
const overrulings = ['none_verified', 'many_operators'] as const;
export type Overruling = (typeof overrulings)[number];

function openingOf(reason: Overruling): string {
  return `{"reason":"${reason}","own":`;
}

/** The evidence of a hit that is overruled, around its own. */
export function overrule(own: string, reason: Overruling): string {
  return `${openingOf(reason)}${own}}`;
}

/** The reason by which evidence is overruled, and what is inside; undefined if it is the hit's own. */
export function readOverruled(evidence: string) {
  const reason = overrulings.find((candidate) => evidence.startsWith(openingOf(candidate)));
  return reason && { reason, own: evidence.slice(openingOf(reason).length, -1) };
}

/** `overrule` in SQL, for the evidence of a row. */
export function overruleInSql(reason: Overruling): RawBuilder<string> {
  return sql`cast(${openingOf(reason)} as text) || evidence || '}'`;
}

/** What is inside, in SQL, for the evidence of a row that this reason overrules. */
export function ownInSql(reason: Overruling): RawBuilder<string> {
  const { length } = openingOf(reason);
  const [start, outer] = [sql.lit(length + 1), sql.lit(length + 1)];
  return sql`substr(evidence, ${start}, length(evidence) - ${outer})`;
}

/** Whether a row's evidence has one of these reasons. */
export function hasReason(where: ExpressionBuilder<DataTables, 'hits'>, ...reasons: Reason[]) {
  return where.or(reasons.map((reason) => where('evidence', 'like', likeReason(reason))));
}

/** What SQL's `like` finds evidence of a reason by. */
export function likeReason(reason: Reason): string {
  return `{"reason":"${reason}"%`;
}
