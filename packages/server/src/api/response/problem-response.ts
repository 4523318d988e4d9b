import { problemPath, problems } from '@overheard/contract';
import { Problem, unavailable } from '../../problems.ts';
import { busyWords, isUnavailable } from '../../storage/unavailable.ts';

/**
 * The one place where failures become responses: `application/problem+json`, RFC 9457. An error
 * that is not a `Problem` reveals nothing. The log has it under the request id.
 */
export function problemResponse(
  error: unknown,
  { publicUrl, requestId }: { publicUrl: string; requestId: string },
) {
  const problem = asProblem(error);
  const { title, status } = problems[problem.code];
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...problem.headers,
    },
    body: JSON.stringify({
      type: publicUrl + problemPath(problem.code),
      title,
      status,
      detail: problem.message,
      code: problem.code,
      request_id: requestId,
      errors: problem.errors,
    }),
  };
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) {
    const detail = busyWords(error) ?? 'The database is temporarily unavailable.';
    return unavailable(detail, { cause: error });
  }
  if (isTooLarge(error)) {
    const detail = 'The body is larger than this path takes.';
    return new Problem('body_too_large', detail, { headers: { Connection: 'close' } });
  }
  return new Problem('internal_error', 'The failure is in the log under this request id.', {
    cause: error,
  });
}

/** Whether Fastify stopped reading a body at the limit of its path. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'statusCode' in error && error.statusCode === 413;
}
