import { z } from 'zod';

const measured = z.object({
  /** Lines, or look-ups. */
  count: z.number(),
  seconds: z.number(),
  /** Of all threads of the process, the collector's too; undefined of programs that are not ours. */
  cpuSeconds: z.number().optional(),
  megabytes: z.number().optional(),
});

/** What a process took. */
export type Measured = z.output<typeof measured>;

export function readMeasured(text: string): Measured {
  return measured.parse(JSON.parse(text));
}
