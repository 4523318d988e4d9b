import { answers, outcome } from '@overheard/contract';
import { toAnswerQuery } from '../../reports/report-queries.ts';
import type { AnswerQuery } from '../../reports/answers.ts';
import type { DayBounds } from '../../reports/period.ts';
import type { OptionValues, WorkspaceContext } from '../define/define-command.ts';
import { choice, text } from '../define/options.ts';
import { namedFilters } from './named-filters.ts';
import { parameter, runOptions } from './parameter.ts';

/** Options that select answers. */
export const answerOptions = {
  ...runOptions,
  subject: text('<subject>', 'only answers that cite this subject: its name or id'),
  cited: parameter(
    '<whether>',
    answers.query.shape.cited,
    'only answers that cite, or do not cite, the subject of --subject, or else the brand',
  ),
  outcome: choice('<outcome>', outcome.options, 'only runs with this outcome'),
};

/** Makes the query from the options that select answers of some days. */
export async function answerQuery(
  context: WorkspaceContext,
  values: OptionValues<typeof answerOptions>,
  days: DayBounds,
): Promise<AnswerQuery> {
  const { cited, surface } = values;
  const filters = await namedFilters(context, values);
  return { ...toAnswerQuery({ cited, surface, ...filters }, days), outcome: values.outcome };
}
