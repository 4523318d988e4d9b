import { z } from 'zod';
import { count, quotaSchema } from '../read/quota.ts';
import type { ToolRow } from '../tools/tool-row.ts';

const page = z.strictObject({
  returned: count.meta({ description: 'Rows in this result.' }),
  matched: count.meta({ description: 'Rows that passed the filters.' }),
  total: count.meta({ description: 'Rows that the API gave.' }),
  next_cursor: z
    .string()
    .optional()
    .meta({ description: 'For the next page; absent on the last.' }),
});

/** The fields beside the contract's array in every result. */
export const envelope = z.strictObject({
  page,
  quota: quotaSchema.optional(),
  notes: z.array(z.string()),
});

/** The fields beside the rows: the page, the quota that is left, and notes on the rows. */
export type Envelope = z.infer<typeof envelope>;

/** The content of a result. */
export type CallOutcome =
  | {
      readonly array: string;
      /** All with the same fields, unless `isKeyed`. */
      readonly rows: readonly ToolRow[];
      /** Whether each row has the names of its fields, instead of columns for all. */
      readonly isKeyed: boolean;
      readonly around: Envelope;
    }
  | { readonly failure: string };

/** The result of a call on the wire. */
export type ToolResult = {
  content: Array<{ type: 'text'; text: string }>;
  structuredContent?: Record<string, unknown>;
  isError?: true;
};

/**
 * Builds every result. Some hosts show a model the text and some the structure, so both contain
 * everything. A failure has no structure, because clients would check it against the output schema
 * and show their own error instead.
 */
export function toolResult(outcome: CallOutcome): ToolResult {
  if ('failure' in outcome) {
    return { content: [{ type: 'text', text: outcome.failure }], isError: true };
  }
  const { array, rows, isKeyed, around } = outcome;
  const columns = isKeyed || rows[0] === undefined ? {} : { columns: Object.keys(rows[0]) };
  const listed = isKeyed ? rows : rows.map((row) => Object.values(row));
  return {
    content: [{ type: 'text', text: compactJson(array, listed, { columns, around }) }],
    structuredContent: { ...columns, [array]: listed, ...around },
  };
}

/**
 * Compact JSON with one row per line, because some hosts save long results to a file that the model
 * reads by lines.
 */
export function compactJson(
  array: string,
  rows: ReadonlyArray<ToolRow | readonly unknown[]>,
  { columns, around }: { columns: Record<string, unknown>; around: Record<string, unknown> },
): string {
  const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
  const list = rows.length === 0 ? '[]' : `[\n${lines}\n]`;
  const before = JSON.stringify({ ...columns, [array]: 0 }).slice(0, -2);
  return `${before}${list},${JSON.stringify(around).slice(1)}`;
}
