import { problems } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';

/** What is wrong with one query parameter. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

/** A failure that the API reports as a problem document. `detail` is our own sentence, never foreign text. */
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

/** Seconds after which a client may try again if the server cannot serve now. */
const retryAfterSeconds = '5';

/** A 503: the same request may succeed in a moment. */
export function unavailable(detail: string, { cause }: { cause?: unknown } = {}): Problem {
  return new Problem('unavailable', detail, {
    headers: { 'Retry-After': retryAfterSeconds },
    cause,
  });
}
