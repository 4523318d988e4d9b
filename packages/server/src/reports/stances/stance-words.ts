import type { Stance, StanceRow } from '@overheard/contract';
import { percent } from '../../values/figure-words.ts';
import { amount, thousands } from '../../values/plural.ts';
import { kappaMin } from './check.ts';
import type { StanceCheck } from './check.ts';

/** Says how the brand is presented, beside the competitor that is recommended most. */
export function stanceWords(rows: readonly StanceRow[], check: StanceCheck): string {
  const [brand, ...rivals] = rows;
  if (brand === undefined) return 'No answer of this period is judged.';
  if (!check.isTrusted) return uncheckedWords(check);
  const [best] = rivals
    .filter(({ cited }) => cited > 0)
    .toSorted((one, other) => recommendationsOf(other) - recommendationsOf(one));
  const beside =
    best !== undefined && recommendationsOf(best) > 0
      ? ` ${recommendedWords(best, thousands(best.cited))}.`
      : '';
  if (brand.cited === 0) {
    return `None of ${amount(brand.runs, 'judged answer')} presents ${brand.name}.${beside}`;
  }
  const warnings = brand.advised_against ?? 0;
  const warned =
    warnings === 0
      ? 'none warns against it'
      : `${thousands(warnings)} ${warnings === 1 ? 'warns' : 'warn'} against it`;
  return `${recommendedWords(brand, `${amount(brand.cited, 'judged answer')} that ${brand.cited === 1 ? 'cites' : 'cite'} it`)}; ${warned}.${beside}`;
}

function recommendedWords(row: StanceRow, of: string): string {
  const { name, recommended_rate: rate, recommended_rate_low: low } = row;
  const high = row.recommended_rate_high;
  const interval =
    low === null || high === null ? '' : `, ${Math.round(low * 100)} to ${Math.round(high * 100)}`;
  return `${name} is recommended in ${thousands(recommendationsOf(row))} of ${of} (${percent(rate ?? 0)}${interval})`;
}

/** First choices and recommendations; 0 where figures are not shown. */
export function recommendationsOf(row: StanceRow): number {
  return (row.first_choice ?? 0) + (row.recommended_for ?? 0);
}

/** Why there are quotes and no figures. */
function uncheckedWords({ kappa, labels, needed }: StanceCheck): string {
  if (labels < needed) {
    const missing = needed - labels;
    return labels === 0
      ? 'Nobody has checked the judge yet, so there are quotes and no figures.'
      : `${amount(missing, 'more answer')} to label until the judge is checked: quotes and no figures so far.`;
  }
  return kappa === null
    ? 'All checked answers are alike, so the check says nothing: there are quotes and no figures.'
    : `The judge and a person agree too little (kappa ${kappa.toFixed(2)}, at least ${kappaMin} is needed), so there are quotes and no figures.`;
}

/** How far the judge and a person agree: `kappa 0.74 (0.63 to 0.85) over 100 labels`. */
export function kappaWords({ kappa, low, high, labels }: StanceCheck): string {
  if (kappa === null || low === null || high === null)
    return `no kappa over ${amount(labels, 'label')}`;
  return `kappa ${kappa.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) over ${amount(labels, 'label')}`;
}

/** What each stance means, for a person who labels. */
export const stanceMeanings = {
  first_choice: 'The best, the top pick or the default choice, with no narrower purpose.',
  recommended_for: 'Recommended for a stated purpose, user, budget or situation.',
  also: 'One of several good options, not singled out, without a purpose of its own.',
  plain: 'Only a fact, such as a maker, a shop or a comparison: no recommendation, no warning.',
  mixed: 'Real praise and real criticism, or recommended with a serious reservation.',
  advised_against: 'Warned against, or called the worse or an unsuitable choice.',
  unknown_to_engine: 'The answer says that it knows nothing about it.',
} as const satisfies Readonly<Record<Stance, string>>;

/** The stances in words, as pages and commands say them. */
export const stanceTitles = {
  first_choice: 'first choice',
  recommended_for: 'recommended',
  also: 'also named',
  plain: 'mentioned',
  mixed: 'mixed',
  advised_against: 'advised against',
  unknown_to_engine: 'unknown to the engine',
} as const satisfies Readonly<Record<Stance, string>>;
