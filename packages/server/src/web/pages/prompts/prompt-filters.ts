import { z } from 'zod';
import type { PromptListQuery } from '../../../reports/prompt-pages/prompt-list.ts';
import { readView, runFilters } from '../../request/view.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** The orders of the list, in the words of its address and of its form. The first is the default. */
export const promptOrders = [
  { name: 'newest', title: 'newest first', sort: 'added', isDescending: true },
  { name: 'text', title: 'by text', sort: 'text', isDescending: false },
  { name: 'locale', title: 'by locale', sort: 'locale', isDescending: false },
  { name: 'most_cited', title: 'most appearances first', sort: 'rate', isDescending: true },
  { name: 'least_cited', title: 'fewest appearances first', sort: 'rate', isDescending: false },
  { name: 'highest_share', title: 'highest share of voice first', sort: 'sov', isDescending: true },
  { name: 'lowest_share', title: 'lowest share of voice first', sort: 'sov', isDescending: false },
  { name: 'most_runs', title: 'most runs first', sort: 'runs', isDescending: true },
  { name: 'last_run', title: 'last asked first', sort: 'last', isDescending: true },
] as const;

const yesNo = z.enum(['yes', 'no']).optional();
const filters = {
  text: z.string().max(200, { error: 'It has more than 200 characters.' }).optional(),
  active: yesNo,
  collected: yesNo,
  branded: yesNo,
  sort: z.enum(promptOrders.map(({ name }) => name)).optional(),
};
const page = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, { error: 'It must be the number of a page.' })
  .optional();

/** Most prompts on one page of the list, because the weeks of each are counted from its runs. */
export const promptsShown = 25;

export type PromptFilters = ReturnType<typeof readPromptFilters>;

/** The list of prompts that the address selects; `parameters` are its filters for links. */
export function readPromptFilters(context: WorkspaceContext) {
  const { view, parameters: values, isCsv } = readView(context, { ...filters, page });
  const { page: pageText = '1', text, active, collected, branded, sort: order } = values;
  const { sort, isDescending } = promptOrders.find(({ name }) => name === order) ?? promptOrders[0];
  const isYes = (value: 'yes' | 'no' | undefined) =>
    value === undefined ? undefined : value === 'yes';
  const number = Number(pageText);
  // Links have their parameters in this order, whichever are given.
  const parameters = { text, active, collected, branded, sort: order };
  // The list has no menu for answers that searched.
  const { searched: _, ...runs } = runFilters(view);
  const query: PromptListQuery = {
    ...runs,
    text,
    isActive: isYes(active),
    isCollected: isYes(collected),
    isBranded: isYes(branded),
    sort,
    isDescending,
    offset: (number - 1) * promptsShown,
    rowsMax: promptsShown,
  };
  return { view, isCsv, page: number, parameters, query };
}
