import { outcome } from '@overheard/contract';
import { z } from 'zod';
import type { Faults } from '../../rows/fault.ts';
import { contradiction } from '../../rows/difference.ts';
import { openStaging } from '../../storage/staging/staging.ts';
import type { StagedRow, StagedTable } from '../../storage/staging/staging.ts';
import type { Answer, AnswerPrompt } from './answer.ts';
import { toComparable } from './find-changed.ts';
import { compareCodePoints } from '../../values/code-points.ts';

/** The facts that a file gives about one prompt, in any order of its rows. */
export interface FilePrompt {
  /** The moment of its earliest run. */
  readonly firstAt: string;
  /** The prompt's text as last asked; undefined if no row has it. */
  readonly last?: LastAsked | undefined;
  /** Whether the prompt is to be put to engines; undefined if no row says so. */
  readonly collect?: boolean | undefined;
}

/** The text of a prompt as last asked, and the time. */
export interface LastAsked extends AnswerPrompt {
  readonly runAt: string;
}

/** The answers and prompts of a file, until all of it has been checked. */
export interface StagedFile {
  readonly answers: StagedTable<Answer>;
  readonly prompts: StagedTable<FilePrompt>;
  /**
   * Adds an answer. Returns false if the file already has an answer of that run, which must then be
   * equal.
   */
  add(answer: Answer, line: number, faults: Faults): boolean;
  /** Ends the writing; reading follows. */
  seal(): void;
  close(): void;
}

/** Most text in one batch, unless a single answer is longer. Answers may have megabytes. */
export const batchLimits = { rowsMax: 200, charactersMax: 1024 * 1024 };

/** Opens a staging area for a file of answers. It disappears when the process ends. */
export function stageAnswers(): StagedFile {
  const staging = openStaging();
  const answers = staging.table('answers', parseStagedAnswer);
  const prompts = staging.table('prompts', (content) => promptSchema.parse(content));
  return { answers, prompts, add, seal: staging.seal, close: staging.close };

  function add(answer: Answer, line: number, faults: Faults): boolean {
    addPrompt(answer, line, faults);
    const row = toStaged(answer.id, line, answer);
    const earlier = answers.add(row);
    if (earlier === undefined) return true;
    if (earlier.content.prompt === undefined && answer.prompt !== undefined) {
      answers.replace({ ...earlier, content: { ...earlier.content, prompt: answer.prompt } });
    }
    const fault = contradiction(
      { line: earlier.line, content: toComparable(earlier.content) },
      { line, content: toComparable(answer) },
      `has the same run id (${answer.id})`,
    );
    if (fault !== undefined) faults.add(fault);
    return false;
  }

  function addPrompt(
    { promptId, prompt, runAt, collect }: Answer,
    line: number,
    faults: Faults,
  ): void {
    const dated = prompt && { ...prompt, runAt };
    const earlier = prompts.add(toStaged(promptId, line, { firstAt: runAt, last: dated, collect }));
    if (earlier === undefined) return;
    const before = earlier.content;
    const fault = contradiction(
      { line: earlier.line, content: { collect: switchWord(before.collect) } },
      { line, content: { collect: switchWord(collect) } },
      'is of the same prompt',
    );
    if (fault !== undefined) faults.add(fault);
    const content = {
      firstAt: before.firstAt < runAt ? before.firstAt : runAt,
      last: laterOf(before.last, dated),
      collect: before.collect ?? collect,
    };
    const isSame =
      content.firstAt === before.firstAt &&
      content.last === before.last &&
      content.collect === before.collect;
    if (!isSame) prompts.replace({ ...earlier, content });
  }
}

function switchWord(collect: boolean | undefined): string | undefined {
  return collect === undefined ? undefined : collect ? 'on' : 'off';
}

function toStaged<Content>(key: string, line: number, content: Content): StagedRow<Content> {
  return { key, other: null, line, isNamed: true, content };
}

/**
 * Of several texts at the same moment, take the first in code point order, so that the order of
 * rows does not matter.
 */
function laterOf(left: LastAsked | undefined, right: LastAsked | undefined): LastAsked | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  if (left.runAt !== right.runAt) return left.runAt > right.runAt ? left : right;
  return compareCodePoints(wordsOf(left), wordsOf(right)) <= 0 ? left : right;
}

function wordsOf({ text, language, locale }: LastAsked): string {
  return [text, language, locale].join('\0');
}

const text = z.string();
const promptShape = { text, language: text, locale: text };
const promptSchema = z.object({
  firstAt: text,
  last: z.object({ ...promptShape, runAt: text }).optional(),
  collect: z.boolean().optional(),
});

const answerSchema = z.object({
  id: text,
  promptId: text,
  prompt: z.object(promptShape).optional(),
  engine: text,
  model: text.nullable(),
  cohort: text.optional(),
  collect: z.boolean().optional(),
  runAt: text,
  isDayAlone: z.boolean(),
  outcome,
  answer: text,
  sources: z.array(z.object({ url: text, title: text.exactOptional() })),
  queries: z.array(text).nullable(),
  searched: z.boolean().nullable(),
});

function parseStagedAnswer(content: unknown): Answer {
  const { prompt, cohort, collect, ...answer } = answerSchema.parse(content);
  return { ...answer, prompt, cohort, collect };
}
