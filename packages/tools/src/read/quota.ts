import { z } from 'zod';

/** A count, 0 or more. */
export const count = z.int().min(0);

/** The rest of the quota of one tool. */
export const quotaSchema = z.strictObject({
  left: count.meta({ description: 'Calls of this tool that are left.' }),
  resets_in_s: count.meta({ description: 'Seconds until more are.' }),
});

export type Quota = z.infer<typeof quotaSchema>;
