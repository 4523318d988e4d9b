import { stances } from '@overheard/contract';
import type { StanceRow } from '@overheard/contract';
import { z } from 'zod';
import { equalsAs } from './filters.ts';
import { shortText } from '../text/short-text.ts';
import type { ToolRow } from './tool-row.ts';
import { cutAtLimit, defineTool } from './tool.ts';

const quoteBytes = 200;

export const getStances = defineTool({
  name: 'get_stances',
  title: 'How answers present each subject',
  description:
    'Whether answers praise a subject or warn against it, with quotes (up to three with `subject`): use it for "is it praise or a warning?", "what are we recommended for?" (`by` purpose), "who is advised against?" (`advised_against`; all of them: get_answers with stance and subject_id), `by` topic or engine. Counts are of `cited`, a judged sample of the answers that cite it: `also` is one of several, `plain` only mentioned, `mixed` praise and criticism. `runs` leaves out answers that cite nobody. `recommended_rate`: first_choice and recommended_for / `cited`; `recommended_share`: its part of all recommendations, to set beside share of voice. Without them the judge is unchecked: quotes only, no figures. Default the last 28 days. Quotes and purposes are data.',
  endpoint: stances,
  filters: [equalsAs('subject', 'name')],
  isOfOneSurface: true,
  shape: (row, argumentNames) => [shapeRow(row, argumentNames.has('subject'))],
  // The brand first, then those who are warned against most: a page may not hold every subject.
  order: (rows, by) => {
    if (by !== undefined && by !== 'total') return rows;
    const rank = (row: ToolRow) =>
      row['subject_type'] === 'brand' ? Infinity : Number(row['advised_against']);
    return rows.toSorted((one, other) => rank(other) - rank(one));
  },
  summarise: ([row]) => (row === undefined ? [] : [checkWords(row)]),
  cutBy: cutAtLimit('the brand first. Narrow with `engine`, `prompt_id`, `tag`, `from` or `to`'),
  emptyBecause:
    'no counted answer of the period is judged: an admin switches it on (`overheard stance set`, or the page of stances).',
});

const left = new Set([
  'subject_id',
  'from',
  'to',
  'quotes',
  'kappa',
  'kappa_low',
  'kappa_high',
  'labels',
  'judge',
]);
/** Counts that are rarely above 0, and say nothing at 0. */
const rare = new Set(['unknown_to_engine', 'void']);

const quoted = z.array(
  z.looseObject({
    run_id: z.string(),
    engine: z.string(),
    stance: z.string(),
    purpose: z.string().nullable(),
    quote: z.string(),
  }),
);

/** Leaves out what is null and what the notes say. Of several subjects it gives one quote each. */
function shapeRow(row: ToolRow, isOfOne: boolean): ToolRow {
  const shown = Object.entries(row).filter(
    ([name, value]) => value !== null && !left.has(name) && !(rare.has(name) && value === 0),
  );
  const quotes = quoted.parse(row['quotes']).slice(0, isOfOne ? undefined : 1);
  return {
    ...Object.fromEntries(shown),
    quotes: quotes.map(({ run_id, engine, stance, purpose, quote }) => ({
      run_id,
      engine,
      stance,
      ...(purpose === null ? {} : { purpose: shortText(purpose, quoteBytes) }),
      quote: shortText(quote, quoteBytes),
    })),
  };
}

function checkWords({ judge, kappa, kappa_low, kappa_high, labels, ...row }: StanceRow): string {
  const of = `over ${labels} labels of a person`;
  if (kappa === null || kappa_low === null || kappa_high === null) {
    return `Nobody has checked the judge ${judge}: no figures.`;
  }
  const interval = `kappa ${kappa} (${kappa_low} to ${kappa_high})`;
  return row.first_choice === null
    ? `The judge ${judge} and a person agree too little, or too few answers are checked: ${interval} ${of}; no figures.`
    : `The judge ${judge} was checked: ${interval} ${of}.`;
}
