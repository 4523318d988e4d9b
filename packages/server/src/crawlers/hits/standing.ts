import type { OverruledBy } from '../../storage/tables/crawler-tables.ts';

/** For how many days before and after a hit votes count. */
export const proofDays = 30;
const operatorsMin = 2;
export const networksMin = 3;

/**
 * The votes of one site and UTC day that are verified by address: one for each operator and network. Of
 * more than two operators or networks it has two, because the rule needs no more.
 */
export interface DayProof {
  readonly day: number;
  readonly operators: readonly string[];
  readonly networks: readonly string[];
  /** How many networks there are; at most `networksMin`. */
  readonly networkCount: number;
}

/**
 * Why a site does not let a refuted claim of a day count as forged; null if proof surrounds the day. Only
 * a log with the addresses of clients has such proof: a proxy that is switched on ends it from that day on.
 * The votes of the day itself prove neither side, because a proxy may be switched at any hour.
 */
export function doubtOf(
  day: number,
  proofs: readonly DayProof[],
): Exclude<OverruledBy, 'visitor_address'> | null {
  const isWithin = (from: number, to: number) => (proof: DayProof) =>
    proof.day >= from && proof.day <= to;
  if (!isProof(proofs.filter(isWithin(day - proofDays, day - 1)))) return 'site_unproven';
  return isProof(proofs.filter(isWithin(day + 1, day + proofDays))) ? null : 'proof_pending';
}

function isProof(proofs: readonly DayProof[]): boolean {
  return (
    new Set(proofs.flatMap(({ operators }) => operators)).size >= operatorsMin ||
    new Set(proofs.flatMap(({ networks }) => networks)).size >= networksMin ||
    proofs.some(({ networkCount }) => networkCount >= networksMin)
  );
}
