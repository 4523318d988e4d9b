import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { dayMs, endOfDay, startOfDay, utcDay } from '../../values/time/utc-day.ts';

const days = z.object({ from: z.string(), to: z.string() }).readonly();

/** UTC days, both included. */
export type Days = z.infer<typeof days>;

const filter = z.object({
  promptIds: z.array(z.string()).readonly().exactOptional(),
  engines: z.array(z.string()).readonly().exactOptional(),
  /** Only runs that cite this page. */
  page: z.string().exactOptional(),
  /** Own pages, such as `acme.com/docs`: the runs that cite them, and the requests to them. */
  ownPages: z.array(z.string()).readonly().exactOptional(),
  /** Requests of a bot to a path of a site. */
  request: z
    .object({ bot: z.string(), host: z.string().nullable(), path: z.string() })
    .exactOptional(),
  /** The window before, if its runs count too. */
  before: days.exactOptional(),
});

/** The facts by which to find the runs or requests behind an action. */
export type EvidenceFilter = Readonly<z.infer<typeof filter>>;

const partsSchema = z.object({
  from: z.number(),
  band: z.number(),
  atStake: z.number(),
  half: z.number(),
  /** The window in which it was found. */
  days,
  stake: z.object({
    share: z.object({ part: z.number(), whole: z.number() }),
    low: z.number(),
    worth: z.number(),
  }),
  filter,
  /** How to fix it; null if older rules derived the action. */
  steps: z.array(z.string()).readonly().nullable().default(null),
});

/** The inputs of an action's impact, stored with the action as JSON. */
export type Parts = Readonly<z.infer<typeof partsSchema>>;

/** The parts that are kept with a derived action; undefined for one that was imported, or derived by older rules. */
export function parseParts(text: string | null): Parts | undefined {
  const parts = partsSchema.safeParse(text === null ? undefined : parseJson(text));
  return parts.success ? parts.data : undefined;
}

/** The last `count` UTC days, including that of `nowMs`, and the same number of days before them. */
export function windowsAt(nowMs: number, count: number): { current: Days; before: Days } {
  const day = (back: number): string => utcDay(nowMs - back * dayMs);
  return {
    current: { from: day(count - 1), to: day(0) },
    before: { from: day(2 * count - 1), to: day(count) },
  };
}

/** Turns days into moments. */
export function spanOf({ from, to }: Days): { readonly from: string; readonly before: string } {
  return { from: startOfDay(from), before: endOfDay(to) };
}

const stepsSchema = z.object({ steps: z.array(z.string()).nullable() });

/** The stored steps of an action; none for imported ones. Actions of older rules may have no other part. */
export function parseSteps(parts: string | null): readonly string[] {
  return stepsSchema.safeParse(parseJson(parts ?? 'null')).data?.steps ?? [];
}
