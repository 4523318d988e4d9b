import { answers, outcome } from '@overheard/contract';
import { z } from 'zod';
import type { AnswerQuery } from '../../../reports/answers.ts';
import { readView } from '../../view.ts';
import type { PageView } from '../../view.ts';
import type { Visit } from '../../visit.ts';

const { prompt_id: promptId, subject_id: subjectId, cited: isCited } = answers.query.shape;
const filters = {
  prompt_id: promptId,
  subject_id: subjectId,
  cited: isCited,
  outcome: outcome.optional(),
  site: z.string().min(1).max(253).optional(),
};

/** A list of answers: its view, its filters as links write them, and what they ask for. */
export interface AnswerFilters {
  readonly view: PageView;
  readonly isCsv: boolean;
  readonly own: {
    readonly prompt_id: string | undefined;
    readonly subject_id: string | undefined;
    readonly cited: string | undefined;
    readonly outcome: string | undefined;
    readonly site: string | undefined;
  };
  readonly query: AnswerQuery;
  /** Parameters of this page alone. */
  readonly page: Readonly<Record<string, string | undefined>>;
}

/** Reads the filters of answers from the address. `own` are parameters of the page beside them. */
export function readAnswerFilters(visit: Visit, own: z.ZodRawShape = {}): AnswerFilters {
  const { view, own: given, isCsv } = readView(visit, { ...filters, ...own });
  const { prompt_id, subject_id, cited, outcome: ended, site } = z.object(filters).parse(given);
  const page = z.record(z.string(), z.string().optional()).parse(given);
  const isAnyone = cited === undefined && subject_id === undefined;
  return {
    view,
    isCsv,
    own: { prompt_id, subject_id, cited, outcome: ended, site },
    page,
    query: {
      ...view.period,
      engine: view.engine,
      locale: view.locale,
      withoutCompetitorPrompts: view.competitorPrompts === 'exclude',
      promptId: prompt_id,
      outcome: ended,
      site,
      citing: isAnyone ? undefined : { subjectId: subject_id, isCited: cited !== 'false' },
      rowsMax: answersShown,
    },
  };
}

/** Answers of one page of the list. */
const answersShown = 50;
