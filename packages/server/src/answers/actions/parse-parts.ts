import { z } from 'zod';
import type { Parts } from './found-action.ts';

const share = z.object({ part: z.number(), whole: z.number() });

const partsSchema = z.object({
  weight: share,
  absence: share,
  rivalry: share,
  days: z.object({ from: z.string(), to: z.string() }),
  measure: z.string(),
});

/** The parts that are kept with a derived action; undefined for an imported one. */
export function parseParts(text: string | null): Parts | undefined {
  return text === null ? undefined : partsSchema.parse(JSON.parse(text));
}
