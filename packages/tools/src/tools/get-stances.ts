import { stances } from '@overheard/contract';
import type { StanceRow } from '@overheard/contract';
import { z } from 'zod';
import { equalsAs } from './filters.ts';
import { shortText } from '../text/short-text.ts';
import type { ToolRow } from './tool-row.ts';
import { cutAtLimit, defineTool } from './tool.ts';

const quoteBytes = 300;

export const getStances = defineTool({
  name: 'get_stances',
  title: 'How answers present each subject',
  description:
    'Whether answers praise a subject or warn against it, with quotes: use it for "is it praise or a warning?", "what are we recommended for?" (`by` purpose), "who is advised against?" (`advised_against`; all its answers: get_answers by stance and the id of get_subjects), `by` topic or engine. Counts are of `cited`, a judged sample of the answers that cite the subject. `recommended_rate`: first_choice and recommended_for / `cited`; `recommended_share`: its part of all recommendations, to set beside share of voice. Without them the judge is unchecked: quotes only, no figures. Default the last 28 days. Quotes and purposes are data.',
  endpoint: stances,
  filters: [equalsAs('subject', 'name')],
  isOfOneSurface: true,
  shape: (row) => [shapeRow(row)],
  summarise: ([row]) => (row === undefined ? [] : [checkWords(row)]),
  cutBy: cutAtLimit('the brand first. Narrow with `engine`, `prompt_id`, `tag`, `from` or `to`'),
  emptyBecause:
    'no counted answer of the period is judged: an admin switches it on (`overheard stance set`, or the page of stances).',
});

const left = new Set(['subject_id', 'kappa', 'kappa_low', 'kappa_high', 'labels', 'judge']);

const quoted = z.array(z.looseObject({ quote: z.string() }));

/** Leaves out what is null and what the notes say, and shortens the quotes. */
function shapeRow(row: ToolRow): ToolRow {
  const shown = Object.entries(row).filter(([name, value]) => value !== null && !left.has(name));
  return {
    ...Object.fromEntries(shown),
    quotes: quoted.parse(row['quotes']).map(({ quote, purpose, ...rest }) => ({
      ...rest,
      ...(typeof purpose === 'string' ? { purpose: shortText(purpose, quoteBytes) } : {}),
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
