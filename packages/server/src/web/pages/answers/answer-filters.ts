import { answers, outcome } from '@overheard/contract';
import { z } from 'zod';
import type { AnswerQuery } from '../../../reports/answers.ts';
import { pageOf } from '../../../values/sites/site.ts';
import { readView, runFilters } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const { prompt_id, subject_id, cited, stance } = answers.query.shape;

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
  prompt_id,
  subject_id,
  cited,
  stance,
  outcome: outcome.optional(),
  site: siteText.optional(),
};

export type AnswerFilters = ReturnType<typeof readAnswerFilters>;

/**
 * A list of answers from the address: its view, its filters as parameters of links, its query, and
 * the values of `shape`, which are parameters of this page alone.
 */
export function readAnswerFilters(context: WorkspaceContext, shape: z.ZodRawShape = {}) {
  const { view, parameters: values, isCsv } = readView(context, { ...filters, ...shape });
  const { prompt_id: promptId, subject_id: subjectId, ...others } = z.object(filters).parse(values);
  const { cited: isCited, stance: presented, outcome: ended, site } = others;
  const isAnyone = isCited === undefined && subjectId === undefined;
  const query: AnswerQuery = {
    ...runFilters(view),
    promptId,
    outcome: ended,
    site,
    citing: isAnyone ? undefined : { subjectId, isCited: isCited !== 'false' },
    presenting: presented && { subjectId, stance: presented },
    rowsMax: answersShown,
  };
  // Links have their parameters in this order, whichever are given.
  const pageParameters = {
    prompt_id: promptId,
    subject_id: subjectId,
    cited: isCited,
    stance: presented,
    outcome: ended,
    site,
  };
  const page = z.record(z.string(), z.string().optional()).parse(values);
  return { view, isCsv, pageParameters, page, query };
}

/** Answers of one page of the list. */
const answersShown = 50;
