import { z } from 'zod';

/** A UUID of any version in lower case. */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const uuid = z.string().regex(uuidPattern).meta({ format: 'uuid' });

/** A UUID as a caller may write it, in any case; parsed to lower case. */
export const uuidParameter = z
  .string()
  .toLowerCase()
  .regex(uuidPattern, { error: 'It must be a UUID.' })
  .meta({ format: 'uuid' });

/** The error for text that is not a day. */
export const dayFault = { error: 'It must be a UTC day such as 2026-11-20.', abort: true };

/** Calendar day, UTC: `2026-11-20`. */
export const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, dayFault)
  .meta({ format: 'date' });

/** Moment, UTC, with milliseconds: `2026-11-20T12:34:56.789Z`. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

export const engineSlugPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Answer engine, a lower-case slug: `chatgpt`, `perplexity_api`. An open list. */
export const engine = z
  .string()
  .regex(engineSlugPattern)
  .meta({
    description:
      'Answer engine, a lower-case slug of an open list. An app and its API are different engines: `chatgpt`, `chatgpt_api`.',
    examples: ['chatgpt', 'perplexity', 'google_ai_overview'],
  });

/** A ratio from 0 to 1 with at most 4 decimals. */
export const ratio = z.number().min(0).max(1);

/** A count, 0 or more. */
export const count = z.int().min(0);

/** Text that is not empty. */
export const text = z.string().min(1);
