import { z } from 'zod';
import { textPlaces } from '../answers/detection/shared-text.ts';
import { mappingSchema } from '../answers/import/mapping.ts';
import { formats } from '../rows/format.ts';
import { aliasMatches } from '../values/alias.ts';
import { dateOrders } from '../values/time/local-moment.ts';

const aliasSchema = z.object({ alias: z.string(), match: z.enum(aliasMatches) });

/** The words of a subject from a form. */
const wordsSchema = z.object({
  name: z.string(),
  aliases: z.array(aliasSchema),
  domains: z.array(z.string()),
  paths: z.array(z.string()),
});

const subjectChangeSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), id: z.string(), words: wordsSchema }),
  z.object({
    action: z.literal('set'),
    id: z.string(),
    version: z.string(),
    words: wordsSchema,
  }),
  z.object({
    action: z.literal('archive'),
    id: z.string(),
    version: z.string(),
    name: z.string(),
  }),
]);

const redetectSchema = z.object({
  kind: z.literal('redetect'),
  /** A change of a subject that is saved first. */
  change: subjectChangeSchema.optional(),
  /** Texts of pages to take off the count first, or to count again. */
  texts: z
    .array(
      z.object({
        engine: z.string(),
        place: z.enum(textPlaces).optional(),
        id: z.string().optional(),
      }),
    )
    .optional(),
});

/** What a person said about the columns of a file of answers. */
const columnsSchema = z.object({
  mapping: mappingSchema,
  timeZone: z.string(),
  dates: z.enum(dateOrders).optional(),
});

const importSchema = z.object({
  kind: z.literal('import'),
  /** `answers`, `access log`, `robots.txt`, or a kind of row as on the command line. */
  rows: z.string(),
  file: z.string(),
  bytes: z.number(),
  format: z.enum(formats).optional(),
  hasNewEngine: z.boolean(),
  /** For answers whose columns are not ours. */
  columns: columnsSchema.optional(),
  /** For raw responses: the name of their format. */
  as: z.string().optional(),
  /** The site of an access log that does not name it, or of a robots.txt. */
  site: z.string().optional(),
  /** Since when a robots.txt is in force. */
  at: z.string().optional(),
});

const revertSchema = z.object({
  kind: z.literal('revert'),
  /** The number of the import. */
  importId: z.number(),
  file: z.string(),
});

const removeSchema = z.object({ kind: z.literal('remove'), slug: z.string() });

const siteSchema = z.object({
  kind: z.literal('site'),
  action: z.enum(['add', 'remove']),
  domain: z.string(),
});

const suggestSchema = z.object({ kind: z.literal('suggest') });

const gapsSchema = z.object({ kind: z.literal('gaps') });

const askSchema = z.object({ kind: z.literal('ask') });

/** Asks the judge of stances. */
const judgeSchema = z.object({ kind: z.literal('judge') });

/** Work that asks engines: it gets their keys, and a stop waits for its open questions. */
export function asksEngines(kind: string): boolean {
  return kind === 'ask' || kind === 'judge' || kind === 'test' || kind === 'propose';
}

/** A test question to an engine. It belongs to no workspace. */
const testSchema = z.object({
  kind: z.literal('test'),
  engine: z.string(),
  text: z.string(),
  locale: z.string(),
});

/** A question to an engine for what a new workspace could track. */
const proposeSchema = testSchema.extend({ kind: z.literal('propose') });

/** The stored form of a job's work. */
export const workSchema = z.discriminatedUnion('kind', [
  redetectSchema,
  importSchema,
  revertSchema,
  removeSchema,
  siteSchema,
  suggestSchema,
  gapsSchema,
  askSchema,
  judgeSchema,
  testSchema,
  proposeSchema,
]);

export type Work = z.infer<typeof workSchema>;
export type SubjectEdit = z.infer<typeof subjectChangeSchema>;
export type RedetectWork = z.infer<typeof redetectSchema>;
export type ImportWork = z.infer<typeof importSchema>;
export type ImportColumns = z.infer<typeof columnsSchema>;
export type TestWork = z.infer<typeof testSchema>;
export type ProposeWork = z.infer<typeof proposeSchema>;
export type SiteWork = z.infer<typeof siteSchema>;
export type RevertWork = z.infer<typeof revertSchema>;

/**
 * Whether interrupted work can be done again. An import cannot, because its file disappears with
 * its process, and a single question must not be paid twice.
 */
export function isRepeatable({ kind }: Pick<Work, 'kind'>): boolean {
  return kind !== 'import' && kind !== 'test' && kind !== 'propose';
}
