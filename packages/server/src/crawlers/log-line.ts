/** One request, as a log has it. */
export interface LogLine {
  readonly atMs: number;
  /** The site, lower-case, without a port; null if the log does not have it. */
  readonly host: string | null;
  /** The peer's address as written. Null if the log has none. */
  readonly address: string | null;
  /** The headers in which a proxy names the client; null if the log does not have them. */
  readonly forwardedFor: string | null;
  readonly forwarded: string | null;
  readonly cfConnectingIp: string | null;
  readonly trueClientIp: string | null;
  /** What a content network adds to prove whose requests it forwards. It may be a secret: never store it. */
  readonly originAuth: string | null;
  readonly method: string;
  /** Path and query, without scheme and host. */
  readonly target: string;
  readonly status: number | null;
  readonly userAgent: string;
  /** The page that the visitor came from, as written; null if it is not known. */
  readonly referer: string | null;
  readonly signature: SignatureHeaders | null;
}

/** What is needed to verify a signed request after the fact (RFC 9421). */
export interface SignatureHeaders {
  /** The three headers, verbatim. */
  readonly signatureAgent: string;
  readonly signatureInput: string;
  readonly signature: string;
  /** The host of the request, with its port unless it is the scheme's own. */
  readonly authority: string | null;
  readonly scheme: 'http' | 'https';
}

/** Why a line is skipped, for the summary. */
export const skipReasons = {
  blank: 'blank, a comment or a heading',
  too_long: 'longer than 64 KiB, or than 4 MiB as a JSON array',
  unknown_format: 'in no known format',
  no_fields: 'before the #Fields line that explains it',
  no_user_agent: 'without a user agent',
  no_request: 'without a readable request',
  bad_time: 'without a readable time',
  not_text: 'not text',
  outside_time: 'outside --since and --until',
} as const;

export type SkipReason = keyof typeof skipReasons;
