import { outcome } from '@overheard/contract';
import { z } from 'zod';

const text = z.string();
/** Text, and the tags of its language and place (BCP 47). */
const promptShape = { text, language: text, locale: text };
const promptSchema = z.object(promptShape);

/** A prompt that a row contains. It is created if it is new. */
export type AnswerPrompt = Readonly<z.infer<typeof promptSchema>>;

/** One answer of an engine, in normal form. A file's answers wait as JSON until all of it is checked. */
export const answerSchema = z.object({
  /** The id of the run. */
  id: text,
  promptId: text,
  /** Undefined if the row only gives the id of a stored prompt. */
  prompt: promptSchema.optional(),
  /** Whether the prompt is to be put to engines; undefined leaves it as it is. */
  collect: z.boolean().optional(),
  engine: text,
  model: text.nullable(),
  /** That of a run that Overheard asked for itself. That of an imported run follows from its fields. */
  cohort: text.optional(),
  /** `2026-11-20T12:34:56.789Z` */
  runAt: text,
  /** Whether the row gave a day without a time. `runAt` is then its midnight. */
  isDayAlone: z.boolean(),
  outcome,
  /** Plain text or Markdown, as the engine wrote it. */
  answer: text,
  sources: z.array(z.object({ url: text, title: text.optional() }).readonly()).readonly(),
  /** What the engine searched for: none if it did not search, null if that is unknown. */
  queries: z.array(text).readonly().nullable(),
  /** Whether the engine searched, which may be known without its queries; null if that is unknown. */
  searched: z.boolean().nullable(),
});
export type Answer = Readonly<z.infer<typeof answerSchema>>;

const lastAsked = z.object({ ...promptShape, runAt: text });
/** The text of a prompt as last asked, and the time. */
export type LastAsked = Readonly<z.infer<typeof lastAsked>>;

/** The facts that a file gives about one prompt, in any order of its rows. */
export const filePromptSchema = z.object({
  /** The moment of its earliest run. */
  firstAt: text,
  /** The prompt's text as last asked; undefined if no row has it. */
  last: lastAsked.optional(),
  /** Whether the prompt is to be put to engines; undefined if no row says so. */
  collect: z.boolean().optional(),
});
export type FilePrompt = Readonly<z.infer<typeof filePromptSchema>>;
