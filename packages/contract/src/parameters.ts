import { z } from 'zod';
import { date, dayFault, engineSlugPattern, uuidParameter } from './fields.ts';
import { limits } from './limits.ts';

/**
 * A day that a period may begin or end with. The days right before and after it must have
 * four-digit years, too.
 */
const day = date.refine(isDay, dayFault).refine((value) => value >= '1970' && value < '9999', {
  error: 'Its year must be from 1970 to 9998.',
});

/** Parameters that several endpoints share: the days that a report covers, and its runs. */
export const dayParameters = {
  from: day.optional().meta({
    description: `First UTC day, included. Default: ${limits.periodDays - 1} days before \`to\`.`,
    examples: ['2026-10-24'],
  }),
  to: day.optional().meta({
    description: `Last UTC day, included; the period has at most ${limits.periodDaysMax} days. Default: today.`,
    examples: ['2026-11-20'],
  }),
};

/** The days of rows that are read without a usual period. */
export function openDayParameters(row: 'run' | 'hit') {
  return {
    from: day.optional().meta({
      description: `First UTC day, included. Default: that of the first ${row}.`,
      examples: ['2026-10-24'],
    }),
    to: day.optional().meta({
      description: `Last UTC day, included. Default: that of the last ${row}.`,
      examples: ['2026-11-20'],
    }),
  };
}

/** Where an answer was given: in an app as people see it, or by its API. */
export const surface = z.enum(['app', 'api']);
export type Surface = z.infer<typeof surface>;

/** Where an engine's answers are given, by the end of its slug. */
export function surfaceOf(engine: string): Surface {
  return engine.endsWith('_api') ? 'api' : 'app';
}

/** The app of an engine, whose API's slug ends in `_api`: `chatgpt` of both `chatgpt` and `chatgpt_api`. */
export function appOf(engine: string): string {
  return engine.replace(/_api$/, '');
}

/** Whether an engine is a model on a machine of one's own, by the end of its slug: not what people see. */
export function isLocalModel(engine: string): boolean {
  return engine.endsWith('_local_api');
}

export const tagParameter = z
  .string()
  .max(60, { error: 'It must have at most 60 characters.' })
  .optional()
  .meta({
    description:
      'Only runs of prompts with this tag or topic, in any case. An unknown one gives an empty array.',
    examples: ['Small agencies'],
  });

export const runParameters = {
  ...dayParameters,
  engine: z
    .string()
    .regex(engineSlugPattern, { error: 'It must be a lower-case slug such as chatgpt.' })
    .optional()
    .meta({ description: 'Only runs of this engine.', examples: ['chatgpt'] }),
  locale: z
    .string()
    .max(35)
    // No language in use has a code of more than three letters: `english` is a mistake.
    .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/, {
      error: 'It must be a BCP 47 tag such as en-US.',
    })
    .optional()
    .meta({
      description:
        'Only runs of prompts of this locale, as in `prompts`, in any case; `de` includes `de-DE`.',
      examples: ['en-US'],
    }),
  prompt_id: uuidParameter.optional().meta({
    description: 'Only runs of this prompt. An unknown one gives an empty array.',
    examples: ['0b8f6f0e-6a0c-5f3e-9a35-5f1b0e8f7c21'],
  }),
  surface: surface.optional().meta({
    description:
      'Only runs of apps, or only those of APIs, whose slugs end in `_api`. Without it both are pooled, although they answer differently.',
    examples: ['app'],
  }),
  tag: tagParameter,
};

/** The most rows to return, as an integer in text. */
export function limitParameter(max: number, initial: number = max) {
  return z
    .string()
    .refine((digits) => /^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= max, {
      error: `It must be a whole number from 1 to ${max}.`,
    })
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: max,
      description: `Rows to return, at most; ${initial} if it is not given.`,
      examples: [initial],
    });
}

/** Where a page begins. `words` are accepted besides the cursors of `Link` headers. */
export function cursorParameter(words: readonly string[] = []) {
  return z
    .string()
    .refine((cursor) => words.includes(cursor) || /^[\w-]{20,400}$/.test(cursor), {
      error: 'It must be a cursor from a `Link` header.',
    })
    .optional()
    .meta({
      description: [
        'Where a page begins, from the `Link` header of the page before.',
        ...words.map((word) => `\`${word}\`: the first page.`),
      ].join(' '),
      examples: ['WyIyMDI2LTExLTIwVDA2OjAwOjAwLjAwMFoi'],
    });
}

function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
