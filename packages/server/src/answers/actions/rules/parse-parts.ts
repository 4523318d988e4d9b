import { z } from 'zod';
import { parseJson } from '../../../values/json.ts';
import type { Parts } from './found-action.ts';

const days = z.object({ from: z.string(), to: z.string() });

const partsSchema = z.object({
  from: z.number(),
  band: z.number(),
  atStake: z.number(),
  half: z.number(),
  days,
  stake: z.object({
    share: z.object({ part: z.number(), whole: z.number() }),
    low: z.number(),
    worth: z.number(),
  }),
  filter: z.object({
    promptIds: z.array(z.string()).exactOptional(),
    engines: z.array(z.string()).exactOptional(),
    page: z.string().exactOptional(),
    ownPages: z.array(z.string()).exactOptional(),
    request: z
      .object({ bot: z.string(), host: z.string().nullable(), path: z.string() })
      .exactOptional(),
    before: days.exactOptional(),
  }),
});

/** The parts that are kept with a derived action; undefined for one that was imported, or derived by older rules. */
export function parseParts(text: string | null): Parts | undefined {
  const parts = partsSchema.safeParse(text === null ? undefined : parseJson(text));
  return parts.success ? parts.data : undefined;
}
