import { answers, outcome } from '@overheard/contract';
import { z } from 'zod';
import type { AnswerQuery } from '../../../reports/answers.ts';
import { pageOf } from '../../../values/sites/site.ts';
import { readView } from '../../request/view.ts';
import type { PageView } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const { prompt_id: promptId, subject_id: subjectId, cited: isCited, stance } = answers.query.shape;

/** A site, which a person may name by any address on it. */
const siteText = z.string().transform((text, context) => {
  const site = pageOf(text)?.site;
  // Require a letter or digit, because a host of only a comma would match between any two sites in
  // the stored JSON.
  if (site !== undefined && /[\p{L}\p{N}]/u.test(site)) return site;
  context.addIssue('It must be a site, such as example.com.');
  return z.NEVER;
});
const filters = {
  prompt_id: promptId,
  subject_id: subjectId,
  cited: isCited,
  stance,
  outcome: outcome.optional(),
  site: siteText.optional(),
};

/** A list of answers: its view, its filters as parameters of links, and its query. */
export interface AnswerFilters {
  readonly view: PageView;
  readonly isCsv: boolean;
  readonly pageParameters: {
    readonly prompt_id: string | undefined;
    readonly subject_id: string | undefined;
    readonly cited: string | undefined;
    readonly stance: string | undefined;
    readonly outcome: string | undefined;
    readonly site: string | undefined;
  };
  readonly query: AnswerQuery;
  /** Parameters of this page alone. */
  readonly page: Readonly<Record<string, string | undefined>>;
}

/** Reads the filters of answers from the address. `shape` has further parameters of the page. */
export function readAnswerFilters(
  context: WorkspaceContext,
  shape: z.ZodRawShape = {},
): AnswerFilters {
  const { view, parameters: values, isCsv } = readView(context, { ...filters, ...shape });
  const {
    prompt_id,
    subject_id,
    cited,
    stance: presented,
    outcome: ended,
    site,
  } = z.object(filters).parse(values);
  const page = z.record(z.string(), z.string().optional()).parse(values);
  const isAnyone = cited === undefined && subject_id === undefined;
  return {
    view,
    isCsv,
    pageParameters: { prompt_id, subject_id, cited, stance: presented, outcome: ended, site },
    page,
    query: {
      ...view.period,
      engine: view.engine,
      locale: view.locale,
      tag: view.tag,
      searched: view.searched,
      excludesCompetitorPrompts: view.competitorPrompts === 'exclude',
      promptId: prompt_id,
      outcome: ended,
      site,
      citing: isAnyone ? undefined : { subjectId: subject_id, isCited: cited !== 'false' },
      presenting:
        presented === undefined ? undefined : { subjectId: subject_id, stance: presented },
      rowsMax: answersShown,
    },
  };
}

/** Answers of one page of the list. */
const answersShown = 50;
