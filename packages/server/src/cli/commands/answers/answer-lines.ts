import { dollars } from '../../../values/usd.ts';
import { plural } from '../../../values/plural.ts';
import type { AnswerEvidence } from '../../../collect/ledger/evidence.ts';
import { costBasisWords } from '../../../collect/ledger/evidence.ts';
import type { AnswerRow } from '@overheard/contract';
import type { AnswerMention } from '../../../answers/scores/answer-mentions.ts';
import { markedText } from './marked-text.ts';

/**
 * One answer for a person to read: the prompt, the whole text with marks, the cited subjects, and
 * the sources.
 */
export function answerLines(answer: AnswerRow, mentions: readonly AnswerMention[]): string[] {
  const { engine, model, run_at: at, outcome, locale, text } = answer;
  return [
    `${engine}${model === null ? '' : ` (${model})`} at ${at}, ${outcome}`,
    `run ${answer.run_id}`,
    `asked: ${answer.prompt} (${locale})`,
    ...countedLines(answer),
    '',
    ...(text === '' ? ['(no text)'] : markedText(text, mentions).split(/\r\n|\r|\n/)),
    '',
    ...citedLines(answer),
    ...sourceLines(answer),
  ];
}

function countedLines({ outcome, branded, names_competitor: hasRival }: AnswerRow): string[] {
  if (outcome !== 'answered') return [`not counted: ${outcome}`];
  if (branded) return ['not counted: the prompt names the brand'];
  return hasRival ? ['the prompt names a competitor'] : [];
}

function citedLines({ cited }: AnswerRow): string[] {
  if (cited.length === 0) return ['Nobody is cited.'];
  return [
    'Cited, by rank:',
    ...cited.flatMap(({ name, how, position, rank, sentence }) => [
      `  ${rank ?? '-'}. ${name}, ${howWords[how]}${position === null ? '' : ` at ${position}`}`,
      ...(sentence === '' ? [] : [`       ${sentence}`]),
    ]),
  ];
}

const howWords = { named: 'named', linked: 'linked', both: 'named and linked' } as const;

function sourceLines({ sources }: AnswerRow): string[] {
  if (sources.length === 0) return ['No sources.'];
  return [
    'Sources:',
    ...sources.map(({ url, title, owner }, index) => {
      const whose = owner === 'other' ? '' : ` (${owner})`;
      return `  ${index + 1}. ${url}${title === '' ? '' : `  ${title}`}${whose}`;
    }),
  ];
}

/** The evidence of an answer, for a person to read: how it was asked and what it cost. */
export function evidenceLines(evidence: AnswerEvidence): string[] {
  const { model, searches, queries, retrieved, costUsd, costBasis } = evidence;
  const searched =
    queries.length === 0 ? '' : `: ${queries.map((query) => JSON.stringify(query)).join(', ')}`;
  return [
    `Asked over the API for ${dollars(costUsd)}, ${costBasisWords[costBasis]}.`,
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
