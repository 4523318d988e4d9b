import { answers, limits, outcome, shares } from '@overheard/contract';
import { z } from 'zod';
import { flagsOf, integer, InvalidValue } from '../../config.ts';
import type { OptionSpec } from '../../config.ts';
import { choice, parsedText, text } from '../define/options.ts';
import { toAnswerQuery } from '../../reports/report-queries.ts';
import type { AnswerQuery } from '../../reports/answers.ts';
import type { DayBounds } from '../../reports/period.ts';
import type { OptionValues, WorkspaceContext } from '../define/define-command.ts';
import { namedFilters } from './named-filters.ts';
import { canonicalTag, hasRegion } from '../../values/language-tag.ts';

const { shape } = shares.query;

/**
 * Makes an option that accepts the same values as a parameter of the API, by the contract's schema.
 * Its summary is the parameter's description, unless the command line accepts more.
 */
export function parameter<Value>(
  value: string,
  schema: z.ZodType<Value>,
  summary: string = summaryOf(schema),
): OptionSpec<Value | undefined> {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodEnum) return { value, summary, choices: inner.options.map(String) };
  return {
    value,
    summary,
    parse: (typed) => {
      const parsed = schema.safeParse(typed);
      if (parsed.success) return parsed.data;
      throw new InvalidValue(parsed.error.issues[0]?.message ?? 'It is not valid.');
    },
  };
}

/** The number of days of a report, which end with `--to`. */
export const days: OptionSpec<number | undefined> = {
  value: '<number>',
  summary: `number of days up to --to, instead of --from (default: ${limits.periodDays})`,
  parse: integer({ min: 1, max: limits.periodDaysMax }),
};

/** How many rows are shown. */
export const limit = parameter('<number>', shape.limit);

/** `Only runs of prompts ..., back from `to`.` is `only runs of prompts ..., back from --to`. */
function summaryOf(schema: z.ZodType): string {
  const description = schema.meta()?.description ?? '';
  return (description.charAt(0).toLowerCase() + description.slice(1))
    .replace(/\.$/, '')
    .replaceAll(/`(from|to)`/g, (_, name: string) => flagsOf(name, {}))
    .replaceAll('`', '');
}

/** Options that select the runs of a report. */
export const runOptions = {
  from: parameter('<day>', shape.from),
  to: parameter('<day>', shape.to),
  days,
  engine: parameter('<slug>', shape.engine),
  locale: parameter('<tag>', shape.locale, 'only runs of prompts of this locale, such as en-US'),
  surface: parameter('<surface>', shape.surface),
  tag: parameter('<tag>', shape.tag, 'only runs of prompts with this tag or topic'),
  prompt: text('<prompt>', 'only runs of this prompt: its text, or the beginning of its id'),
};

/** Options that limit a report of all days to a period. */
export const openDays = {
  from: { ...runOptions.from, summary: 'first UTC day, included. Default: that of the first run' },
  to: { ...runOptions.to, summary: 'last UTC day, included. Default: that of the last run' },
};

/** The most rows that `--limit` allows. */
export function rowsMax(chosenLimit: string | undefined): number {
  return Number(chosenLimit ?? limits.reportRowsMax);
}

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
  stance: parameter(
    '<stance>',
    answers.query.shape.stance,
    'only judged answers that present the subject of --subject, or else the brand, so',
  ),
};

/** Makes the query from the options that select answers of some days. */
export async function answerQuery(
  context: WorkspaceContext,
  values: OptionValues<typeof answerOptions>,
  bounds: DayBounds,
): Promise<AnswerQuery> {
  const { cited, surface, stance } = values;
  const filters = await namedFilters(context, values);
  return {
    ...toAnswerQuery({ cited, surface, stance, ...filters }, bounds),
    outcome: values.outcome,
  };
}

/** An option for the locale of prompts, in canonical form. */
export function localeOption(summary: string) {
  return parsedText('<tag>', summary, {
    parse: (typed) => {
      const tag = canonicalTag(typed);
      return tag !== undefined && hasRegion(tag) ? tag : undefined;
    },
    expected: 'It must be a language with its region, such as en-US.',
  });
}
