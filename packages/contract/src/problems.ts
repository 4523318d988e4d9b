/** The texts of a problem code's page, and the status of the response. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** What happened, for the page. */
  readonly meaning: string;
  /** What to do about it, for the page. */
  readonly fix: string;
}

/** Every problem that the API responds with: a closed list. Each code has a page of its own. */
export const problems = {
  invalid_request: {
    status: 400,
    title: 'The request is not well-formed HTTP',
    meaning:
      'The request could not be understood, or could be understood in two ways: a malformed request line or header, a `Host` that is not a host name, two `Host` or two `Authorization` lines, or a body.',
    fix: 'Send one `Host` line, one `Authorization` line and no body. If you did, check what a proxy on the way adds.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A query parameter is not valid',
    meaning:
      'A parameter is unknown, repeated, empty, badly encoded or has a value that the endpoint does not accept. Nothing is ignored, because a mistyped filter would otherwise return everything.',
    fix: 'See `errors`: it names each parameter and says what is expected of it.',
  },
  unreadable_body: {
    status: 400,
    title: 'The body cannot be read',
    meaning:
      'The body of log lines is damaged, an archive, not text, or not in the envelope of its host. Nothing of it was stored.',
    fix: 'Send lines of text, as they are or packed with gzip, zstd or br (`Content-Encoding: br`).',
  },
  cursor_too_old: {
    status: 400,
    title: 'The cursor is of data that is gone',
    meaning:
      'The database was restored from a backup since the cursor was given, or more was written since then than the server remembers. What changed in between cannot be named.',
    fix: 'Begin again without `since`, and replace your copy with what you read.',
  },
  missing_api_key: {
    status: 401,
    title: 'An API key is needed',
    meaning:
      'The request carries no `Authorization` header. A key in the query, a cookie or another header is ignored.',
    fix: 'Send `Authorization: Bearer <key>`. An operator makes a key with `overheard key create --workspace SLUG`.',
  },
  invalid_api_key: {
    status: 401,
    title: 'Invalid API key',
    meaning:
      'The key is malformed, unknown, revoked or expired. The API deliberately does not say which.',
    fix: 'Check that the whole key was copied: `overheard_` and 38 letters and digits. `overheard key list` shows which keys are live; `overheard key create` makes another.',
  },
  foreign_origin: {
    status: 403,
    title: 'The request comes from a page of another site',
    meaning:
      'The `Origin` header names another site than this server. Only programs call the tools; a page in a browser could do so in the name of its visitor.',
    fix: 'Call from a program that sends no `Origin`. If a proxy changes the address of this server, set `--public-url`.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this path',
    meaning:
      'No endpoint has exactly this path. Paths are compared exactly as sent: case, trailing slashes and encodings count.',
    fix: 'Compare the path with `/api/v1/openapi.json`.',
  },
  unknown_receiver: {
    status: 404,
    title: 'No receiver has this address',
    meaning:
      'The token in the address is malformed, unknown or ended, or the signature or access key is not the one of the receiver. The server deliberately does not say more.',
    fix: 'Copy the whole address and the secret again. They are shown once: `overheard receiver add` makes another receiver.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    meaning: 'The path exists, but only for the methods in `Allow`.',
    fix: 'Use a method in `Allow`. The API is read-only: data is written with the command `overheard` and on the pages.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The headers were not complete in time.',
    fix: 'Send the request again. If it recurs, check the network in between.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is too large',
    meaning:
      'A call of a tool has at most 64 KB. Log lines have at most 10 MB as they are sent, and 32 MB unpacked.',
    fix: 'Send one call at a time, with shorter arguments, and fewer lines in a request.',
  },
  expectation_failed: {
    status: 417,
    title: 'The request has an expectation that the server does not support',
    meaning: 'The `Expect` header is not `100-continue`.',
    fix: 'Remove the `Expect` header: every request gets its response at once.',
  },
  rate_limited: {
    status: 429,
    title: 'The quota of this endpoint is spent',
    meaning:
      'The workspace has used up its requests to this endpoint; all its keys share them. Refused requests do not count.',
    fix: 'Wait for the seconds in `Retry-After`. Send `If-None-Match`, read less often, or ask the operator for another `--quota`.',
  },
  too_many_failures: {
    status: 429,
    title: 'Too many requests with an invalid key',
    meaning:
      'This address has sent many requests with an invalid key. Requests with a valid key are not affected.',
    fix: 'Fix the key, then wait for the seconds in `Retry-After`.',
  },
  headers_too_large: {
    status: 431,
    title: 'The request line or headers are too large',
    meaning:
      'The request line and headers together are over 16 KiB, or there are too many of them.',
    fix: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something failed on our side',
    meaning: "An unexpected error happened. The server's log has it under the `request_id`.",
    fix: 'Try again once. If it recurs, give the operator the `request_id`.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    meaning:
      'The response took too long, the database is unreachable or busy, or the server is about to stop.',
    fix: 'Wait for the seconds in `Retry-After` and try again. If a long report takes too long again, ask for a shorter period.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;

/** The codes, in the order of their statuses. */
export const problemCodes: readonly ProblemCode[] = Object.keys(problems).filter(isProblemCode);

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text);
}

/** Path of the page of a code, relative to the server's public address. */
export function problemPath(code: ProblemCode): string {
  return `/errors/${code}`;
}
