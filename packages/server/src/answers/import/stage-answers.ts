import type { Faults } from '../../rows/fault.ts';
import { contradiction } from '../../rows/difference.ts';
import { openStaging } from '../../storage/staging/staging.ts';
import type { StagedRow, StagedTable } from '../../storage/staging/staging.ts';
import { answerSchema, filePromptSchema } from './answer.ts';
import type { Answer, FilePrompt, LastAsked } from './answer.ts';
import { toComparable } from './find-changed.ts';
import { compareCodePoints } from '../../values/code-points.ts';

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
  const answers = staging.table<Answer>('answers', (content) => answerSchema.parse(content));
  const prompts = staging.table<FilePrompt>('prompts', (content) =>
    filePromptSchema.parse(content),
  );
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
