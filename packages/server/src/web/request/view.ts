import { shares } from '@overheard/contract';
import { z } from 'zod';
import { periodOf } from '../../api/request/period.ts';
import { splitTarget } from '../../api/request/split-target.ts';
import { Problem } from '../../problems.ts';
import type { Searched, Surface } from '@overheard/contract';
import type { Period } from '../../reports/shares/windows.ts';
import { addDays, utcDay } from '../../values/time/utc-day.ts';
import { pageTarget } from './page-context.ts';
import { readParameters } from './parameters.ts';
import type { WorkspaceContext } from './page-context.ts';

/** The view that all pages of figures share: the days and the runs. */
export interface PageView {
  /** UTC days, both included. */
  readonly period: Period;
  /** Undefined if days were given instead. */
  readonly weeks?: Weeks | undefined;
  readonly engine?: string | undefined;
  readonly surface?: Surface | undefined;
  readonly locale?: string | undefined;
  readonly tag?: string | undefined;
  readonly searched?: Searched | undefined;
  readonly competitorPrompts: 'include' | 'exclude';
}

/** How many weeks a page can show, up to today. */
export const weekChoices = [4, 12, 26] as const;
export type Weeks = (typeof weekChoices)[number];

const { from, to, engine, surface, locale, tag, searched, competitor_prompts } = shares.query.shape;
const shared = {
  weeks: z.enum(weekChoices.map(String)).optional(),
  from,
  to,
  engine,
  surface,
  locale,
  tag,
  searched,
  competitor_prompts,
};
const sharedNames = new Set(Object.keys(shared));

/** The parameters of a page, parsed. */
interface ReadView<Own extends z.ZodRawShape> {
  readonly view: PageView;
  readonly parameters: z.infer<z.ZodObject<Own>>;
  /** Whether the request is for the page's table as a file. */
  readonly isCsv: boolean;
}

type ViewContext = Pick<WorkspaceContext, 'request' | 'clock' | 'shared'>;

/**
 * The view of a page from its URL, and the page's own parameters. A choice that a form leaves empty
 * counts as left out. Throws `invalid_parameter` for any other parameter, a repeated one, and one
 * whose value is invalid.
 */
export function readView(context: ViewContext): Pick<ReadView<z.ZodRawShape>, 'view' | 'isCsv'>;
export function readView<Own extends z.ZodRawShape>(
  context: ViewContext,
  shape: Own,
): ReadView<Own>;
export function readView(context: ViewContext, shape: z.ZodRawShape = {}): ReadView<z.ZodRawShape> {
  const every = z.object({ ...shared, format: z.enum(['csv']).optional(), ...shape });
  const values = readParameters(context, every, { mayBeEmpty: true });
  const { weeks: choice, from: first, to: last, ...filters } = z.object(shared).parse(values);
  const { competitor_prompts: competitorPrompts = 'include', ...runs } = filters;
  const weeks = weekChoices.find((each) => String(each) === choice);
  const day = first ?? last;
  if (weeks !== undefined && day !== undefined) {
    throw new Problem('invalid_parameter', 'The period is given twice.', {
      errors: [{ parameter: 'weeks', message: 'Give either weeks, or from and to.' }],
    });
  }
  const today = utcDay(context.clock());
  const weekCount = weeks ?? (day === undefined ? 4 : undefined);
  const period =
    weekCount === undefined
      ? periodOf({ from: first, to: last }, today)
      : { from: addDays(today, 1 - 7 * weekCount), to: today };
  return {
    view: { period, weeks: weekCount, competitorPrompts, ...runs },
    parameters: z.object(shape).parse(values),
    isCsv: values.format === 'csv',
  };
}

/** The runs that a view counts, as reports take them. */
export function runFilters({ period, weeks: _, competitorPrompts, ...filters }: PageView) {
  return { ...period, ...filters, excludesCompetitorPrompts: competitorPrompts === 'exclude' };
}

/** Changed parameters of a link. Undefined leaves a parameter out. */
export type ViewChanges = Readonly<Record<string, string | number | undefined>>;

/**
 * A path of this workspace with the current view and some changes: `viewLink(context, 'prompts', {
 * weeks: 12 })`. Leaves out parameters of the page itself, unless they are among the changes.
 */
export function viewLink(
  context: WorkspaceContext,
  path: string,
  changes: ViewChanges = {},
): string {
  const { search } = splitTarget(pageTarget(context));
  const pairs = [...new URLSearchParams(search)].filter(
    ([name, value]) =>
      sharedNames.has(name) &&
      value !== '' &&
      !(name in changes) &&
      !('weeks' in changes && (name === 'from' || name === 'to')),
  );
  const query = new URLSearchParams(pairs);
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const words = query.toString();
  return `/w/${context.workspace.slug}/${path}${words === '' ? '' : `?${words}`}`;
}
