import { problems } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';

/** What is wrong with one query parameter. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

/** A failure that the API answers as a problem document. `detail` is our own sentence, never foreign text. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly ParameterError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    {
      errors,
      headers = {},
      cause,
    }: {
      errors?: readonly ParameterError[];
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause });
    this.code = code;
    this.status = problems[code].status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** 1 for a failure, 2 for wrong usage, 130 if a person interrupted the command. */
type ExitCode = 1 | 2 | 130;

/** A failure that the command line prints as one sentence, and its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(
    message: string,
    { exitCode = 1, cause }: { exitCode?: ExitCode; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/**
 * The database cannot be reached or is too slow or busy just now: 503, or a sentence and exit 1.
 * `advice` says what to do on the command line; the API never shows either.
 */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
  readonly advice: string;

  constructor(message: string, { advice = '', cause }: { advice?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.advice = advice;
  }
}
