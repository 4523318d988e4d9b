import { impactOf } from '../../answers/actions/impact.ts';
import type { Parts } from '../../answers/actions/found-action.ts';
import type { Share } from '../../answers/actions/kinds.ts';
import type { StatusChange, StoredAction } from '../../answers/actions/stored-actions.ts';

/** An action for a person to read: what, why, and how its impact comes about. */
export function actionLines({
  action,
  parts,
  changes,
}: {
  action: StoredAction;
  parts: Parts | undefined;
  changes: readonly StatusChange[];
}): string[] {
  const { kind, priority, status, impact_score: impact } = action;
  return [
    action.recommendation,
    '',
    `  ${action.id}, ${kind ?? 'imported'}, ${status}, priority ${priority}, found ${action.created_at}`,
    ...(parts === undefined
      ? ['  It was imported: how its impact came about is not known.']
      : impactLines(parts, impact)),
    ...sovLines(action),
    ...changes.map(({ status: to, changed_at: at }) => `  ${at}  set to ${to}`),
  ];
}

function impactLines(
  { weight, absence, rivalry, days, measure }: Parts,
  impact: number | null,
): string[] {
  const factors = [weight, absence, rivalry].map(fraction).join(' x ');
  const product = impactOf({ weight, absence, rivalry });
  return [
    `  impact = 100 x weight x absence x rivalry = 100 x ${factors} = ${product.toFixed(1)}`,
    ...(impact === product
      ? []
      : [
          `  an import has set the impact to ${impact ?? 'null'}; deriving again, while it is open, undoes that`,
        ]),
    `    weight   ${fraction(weight)}: its counted runs / those of the most-run prompt (of a crawler: its verified requests / all)`,
    `    absence  ${fraction(absence)}: ${measure}`,
    `    rivalry  ${fraction(rivalry)}: runs that cite a competitor / counted runs (of a crawler: 1, or 1/2 where it reads for a corpus)`,
    `  counted from ${days.from} to ${days.to} (UTC); priority is high from 60, medium from 30`,
  ];
}

function sovLines({ sov_baseline: baseline, sov_result: result }: StoredAction): string[] {
  if (baseline === null) return [];
  const after = result === null ? 'not measured yet' : result.toFixed(4);
  return [`  share of voice of the prompt: ${baseline.toFixed(4)} when found, afterwards ${after}`];
}

function fraction({ part, whole }: Share): string {
  return whole === 1 ? String(part) : `${part}/${whole}`;
}
