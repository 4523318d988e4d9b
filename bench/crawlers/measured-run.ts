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
export type MeasuredRun = z.output<typeof measured>;

export function readMeasured(text: string): MeasuredRun {
  return measured.parse(JSON.parse(text));
}
