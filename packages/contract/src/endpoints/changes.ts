import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { date } from '../fields.ts';
import { limits } from '../limits.ts';

/** What a change concerns: the rows of `answers`, `detections`, `scores` or `agent-hits`. */
export const changeKind = z.enum(['answers', 'detections', 'scores', 'hits']);
export type ChangeKind = z.infer<typeof changeKind>;

export const changeRow = z.strictObject({
  kind: changeKind.meta({
    description:
      'Whose rows changed: those of `answers`, `detections` or `scores`, or the `hits` of `agent-hits`.',
    examples: ['detections'],
  }),
  date: date.meta({
    description: 'The UTC day of the rows. Replace all rows of this kind and day.',
    examples: ['2026-11-20'],
  }),
});

export const changes = defineEndpoint({
  name: 'changes',
  path: '/api/v1/changes',
  summary: 'Days whose rows changed since the last call',
  description: `UTC days whose rows changed, were added or were removed since a cursor, at most ${limits.reportRowsMax}, those last written last; without \`since\` every day that ever had rows. Each response has the next cursor in its \`Link\` header (\`rel="next"\`), also the last one: an empty array means that there is nothing more for now. For each day read all rows and replace your copy: \`detections\`, \`agent-hits\` and \`answers\` with \`from\` and \`to\` set to the day, \`scores\` whole. A day may be given again although its rows are the same. Days of \`scores\` are those that \`scores\` has. A cursor from before a restore is \`cursor_too_old\`: begin again without \`since\`.`,
  array: 'changes',
  rowsMax: limits.reportRowsMax,
  query: z.strictObject({
    since: z
      .string()
      .regex(/^[\w-]{20,400}$/, { error: 'It must be a cursor from a `Link` header.' })
      .optional()
      .meta({
        description: 'A cursor from the `Link` header of an earlier response.',
        examples: ['WzQyLCJxUTdWdTJkeVA2X3oiXQ'],
      }),
  }),
  row: changeRow,
  dependsOnDate: true,
  isPaged: true,
});
