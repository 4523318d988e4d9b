import type { AnswerEvidence } from '../../../collect/ledger/evidence.ts';
import { plural } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';

const costWordings = {
  reported: 'as the engine reports it',
  computed: 'by its use and the price list',
  bound: 'the most it may cost, because its cost is unknown',
} as const;

/** The evidence of an answer, for a person to read: how it was asked and what it cost. */
export function evidenceLines(evidence: AnswerEvidence): string[] {
  const { model, searches, queries, retrieved, costUsd, costBasis } = evidence;
  const searched =
    queries.length === 0 ? '' : `: ${queries.map((query) => JSON.stringify(query)).join(', ')}`;
  return [
    `Asked over the API for ${dollars(costUsd)}, ${costWordings[costBasis]}.`,
    `Model as served: ${model ?? 'not named'}.`,
    searches === null
      ? 'The engine does not report how often it searched.'
      : `It searched ${plural(searches, 'time')}${searched}.`,
    retrieved.length === 0
      ? 'It does not name the pages that it read.'
      : `It read ${plural(retrieved.length, 'page')}, cited ones included:`,
    ...retrieved.map(
      ({ url, title = '' }, index) => `  ${index + 1}. ${url}${title === '' ? '' : `  ${title}`}`,
    ),
  ];
}
