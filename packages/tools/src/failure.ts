import { limits, problems } from '@overheard/contract';
import type { ProblemCode } from '@overheard/contract';
import { withoutKeys } from './text/without-keys.ts';

/** Facts for the sentences of a failure. They are our own or checked, and never foreign text. */
export interface FailureFacts {
  /** The configured address of the server, without secrets. */
  readonly address?: string;
  readonly status?: number;
  /** The code of the API's problem document, if it is one of the contract's. */
  readonly problem?: ProblemCode | undefined;
  readonly requestId?: string | undefined;
  /** Parameters of the endpoint that the API refused. */
  readonly parameters?: readonly string[];
  /** Seconds until another try makes sense. */
  readonly waitSeconds?: number | undefined;
  /** The platform's own code, as in `ECONNREFUSED`. */
  readonly system?: string | undefined;
  readonly problems?: readonly string[];
  readonly megabytesMax?: number;
}

interface FailureKind {
  what(facts: FailureFacts): string;
  why(facts: FailureFacts): string;
  next(facts: FailureFacts): string;
  /** Whether the same call may succeed later with nothing changed. */
  readonly retry: 'no' | 'later' | 'now';
}

const variables = '`OVERHEARD_API_KEY` and `OVERHEARD_BASE_URL`';
const fixKey =
  'The user puts the right key into `OVERHEARD_API_KEY` in the configuration of this tool server and restarts it; `overheard key create --workspace SLUG` makes a new one.';

/** Every way in which a call can fail: a closed list. */
const kinds = {
  missing_key: {
    what: () => 'There is no API key, so no request was made.',
    why: () => 'The environment variable `OVERHEARD_API_KEY` is not set for this tool server.',
    next: () => fixKey,
    retry: 'no',
  },
  malformed_key: {
    what: () => 'The API key is mistyped, so no request was made.',
    why: () =>
      'The value of `OVERHEARD_API_KEY` does not have the form of a key, `overheard_` and 38 letters and digits, or its checksum is wrong: a part is missing or changed.',
    next: () => `${fixKey} Copy it whole, without quotes.`,
    retry: 'no',
  },
  bad_address: {
    what: () => 'The address of Overheard is not usable, so no request was made.',
    why: () =>
      '`OVERHEARD_BASE_URL` must be an http or https address such as http://127.0.0.1:8484, without user name, query or fragment, on a port that HTTP may use.',
    next: () => 'The user corrects it in the configuration of this tool server and restarts it.',
    retry: 'no',
  },
  invalid_arguments: {
    what: ({ problems: list = [] }) => list.join(' '),
    why: () =>
      'Arguments are checked before any request: a filter that was ignored would return everything.',
    next: () => 'Call again with the arguments corrected.',
    retry: 'no',
  },
  stale_cursor: {
    what: () => 'The `cursor` does not belong to this call.',
    why: () =>
      'A cursor continues one call: the same tool with the same filters. It is copied whole from `page.next_cursor`.',
    next: () =>
      'Repeat the arguments of the call that gave it, or call without `cursor` to start over.',
    retry: 'no',
  },
  old_cursor: {
    what: () => 'The `cursor` is of data that is gone (400 cursor_too_old).',
    why: () => problems.cursor_too_old.meaning,
    next: () => 'Call again without `cursor`: that lists every day with data.',
    retry: 'no',
  },
  refused_arguments: {
    what: ({ parameters = [] }) =>
      `Overheard refused ${parameters.map((name) => `\`${name}\``).join(' and ')} (400 invalid_parameter).`,
    why: ({ parameters = [] }) =>
      parameters.every((name) => !['from', 'to', 'since', 'until'].includes(name))
        ? 'The endpoint does not take this value.'
        : `The value does not go with the other arguments. A period has at most ${limits.periodDaysMax} days and begins before it ends; without \`to\` it ends today (UTC).`,
    next: () => 'Call again with the arguments corrected; a longer time takes several calls.',
    retry: 'no',
  },
  refused_request: {
    what: ({ status, problem }) =>
      `Overheard refused the request (${status}${problemWords(problem)}).`,
    why: ({ problem }) =>
      problem === undefined ? 'It did not say why in a known form.' : problems[problem].meaning,
    next: ({ problem }) =>
      `The server and this tool server are probably of different versions: the user updates both${problem === undefined ? ', and checks whether `OVERHEARD_BASE_URL` is to begin with `http:` or `https:`' : ''}.`,
    retry: 'no',
  },
  refused_key: {
    what: ({ status, problem }) =>
      `Overheard refused the API key (${status}${problemWords(problem)}).`,
    why: () =>
      'The key is well-formed but unknown to this server, revoked or expired. The API deliberately does not say which.',
    next: ({ address }) => `${fixKey} Check as well that ${address} is the right server.`,
    retry: 'no',
  },
  dropped_key: {
    what: () => 'The request reached Overheard without its API key (401 missing_api_key).',
    why: () => 'This tool server sent the key. Something in between, such as a proxy, removed it.',
    next: () =>
      'The user lets the proxy pass the `Authorization` header on, or puts the address of Overheard itself into `OVERHEARD_BASE_URL`.',
    retry: 'no',
  },
  forbidden: {
    what: ({ address }) => `Something at ${address} forbids the request (403).`,
    why: () => 'Overheard itself never sends 403: a proxy or firewall in front of it does.',
    next: () =>
      'The user lets requests of this machine through there, or corrects `OVERHEARD_BASE_URL`.',
    retry: 'no',
  },
  refused_by_proxy: {
    what: () => 'A proxy in between requires a password (407).',
    why: () => 'The request did not reach Overheard.',
    next: () =>
      'The user corrects `HTTP_PROXY` and `HTTPS_PROXY`, or leaves the address out with `NO_PROXY`, in the environment of this tool server.',
    retry: 'no',
  },
  no_endpoint: {
    what: ({ status, address }) => `There is no Overheard API at ${address} (${status}).`,
    why: () => 'A server responds at this address, but it does not have the endpoint.',
    next: () =>
      'The user checks `OVERHEARD_BASE_URL`: it is the address of the server without `/api/v1`.',
    retry: 'no',
  },
  quota_spent: {
    what: ({ problem }) =>
      problem === 'too_many_failures'
        ? 'Overheard refuses requests from here for now (429 too_many_failures).'
        : 'The quota of this tool is spent (429).',
    why: ({ problem }) =>
      problems[problem === 'too_many_failures' ? problem : 'rate_limited'].meaning,
    next: ({ waitSeconds }) =>
      waitSeconds === undefined
        ? 'Wait a few minutes. Work with the rows that you have; the other tools have quotas of their own.'
        : `Wait ${waitSeconds} s. Work with the rows that you have; the other tools have quotas of their own.`,
    retry: 'later',
  },
  server_failed: {
    what: ({ status, problem }) =>
      `Overheard could not serve the request (${status}${problemWords(problem)}).`,
    why: ({ problem }) =>
      problem === undefined
        ? 'The server, or a proxy in front of it, failed.'
        : problems[problem].meaning,
    next: ({ waitSeconds }) =>
      `Try once more${waitSeconds === undefined ? ' in a minute' : ` in ${waitSeconds} s`}; if it recurs, tell the user to look at the log of the server.`,
    retry: 'later',
  },
  timed_out: {
    what: ({ address }) => `Overheard at ${address} did not respond in time.`,
    why: () => 'It is overloaded, or something in between drops the request.',
    next: () =>
      'Try once more in a minute; ask get_detections for one `prompt_id` rather than all.',
    retry: 'later',
  },
  unresolved: {
    what: ({ address }) => `The host name in ${address} is unknown.`,
    why: ({ system }) => `It has no address${systemCodeWords(system)}.`,
    next: () => 'The user checks `OVERHEARD_BASE_URL` for a typing error, and the network.',
    retry: 'no',
  },
  refused_connection: {
    what: ({ address }) => `Nothing responds at ${address}.`,
    why: ({ system }) =>
      `Nothing accepts connections there${systemCodeWords(system)}: Overheard is not running, or not reachable from here.`,
    next: () =>
      'The user starts it with `overheard serve`, or corrects `OVERHEARD_BASE_URL`; if `NODE_USE_ENV_PROXY` is set, the proxy may be down.',
    retry: 'later',
  },
  broken_connection: {
    what: ({ address }) => `The connection to ${address} broke.`,
    why: ({ system }) =>
      `It ended before the whole response had arrived${systemCodeWords(system)}.`,
    next: () =>
      'Try once more; if it recurs, the user looks at the log of the server, at the network, and whether `OVERHEARD_BASE_URL` is to begin with `http:` or `https:`.',
    retry: 'now',
  },
  tls_failed: {
    what: ({ address }) => `The secure connection to ${address} failed.`,
    why: ({ system }) =>
      `Its certificate is not trusted here, or it does not speak TLS on this port${systemCodeWords(system)}.`,
    next: () =>
      'The user checks whether it is `http:` or `https:` in `OVERHEARD_BASE_URL`; a private authority is trusted with `NODE_EXTRA_CA_CERTS`.',
    retry: 'no',
  },
  redirected: {
    what: ({ status, address }) => `${address} responded with a redirection (${status}).`,
    why: () => 'The API never redirects, and a key is not sent on to another address.',
    next: () =>
      'The user puts the final address of the server into `OVERHEARD_BASE_URL`, with the right `http:` or `https:`.',
    retry: 'no',
  },
  not_json: {
    what: ({ address }) => `The response of ${address} is not JSON.`,
    why: () => 'It is probably another service, or the login page of a proxy.',
    next: () =>
      'The user checks `OVERHEARD_BASE_URL`, and whether it is to begin with `http:` or `https:`.',
    retry: 'no',
  },
  unknown_shape: {
    what: ({ address }) => `The response of ${address} does not come from this API.`,
    why: () => 'It comes from another version of Overheard, or from another service.',
    next: () => `The user updates the server and this tool server, and checks ${variables}.`,
    retry: 'no',
  },
  too_large: {
    what: () => 'The response is too large to be read here.',
    why: ({ megabytesMax }) => `It has more than ${megabytesMax ?? 'so many'} MB.`,
    next: () =>
      'Ask for figures instead of rows: get_shares with the same `prompt_id`, and get_answers with `from` and `to` for single runs.',
    retry: 'no',
  },
  unexpected: {
    what: () => 'This tool server failed unexpectedly.',
    why: () => 'That is a bug of Overheard; the log of this tool server says more.',
    next: () => 'Try once more; if it recurs, the user reports it.',
    retry: 'now',
  },
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof kinds;

/** The codes of all failures, for the tests. */
export const failureCodes = Object.keys(kinds).filter((code): code is FailureCode =>
  Object.hasOwn(kinds, code),
);

const retrySentences = {
  no: 'no, not before that is done.',
  later: 'yes, later; not in a loop.',
  now: 'yes, once.',
} as const;

/** A failure that a model gets as the result of its call. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly facts: FailureFacts;

  constructor(code: FailureCode, facts: FailureFacts = {}, { cause }: { cause?: unknown } = {}) {
    super(code, { cause });
    this.code = code;
    this.facts = facts;
  }
}

/** What happened, why, the next step and whether to retry: four lines, never foreign text or a key. */
export function failureText({ code, facts }: Failure): string {
  const kind: FailureKind = kinds[code];
  const { requestId } = facts;
  const lines = [
    kind.what(facts),
    `Why: ${kind.why(facts)}`,
    `Next: ${kind.next(facts)}${requestId === undefined ? '' : ` The request was ${requestId}.`}`,
    `Retry: ${retrySentences[kind.retry]}`,
  ];
  return withoutKeys(lines.join('\n'));
}

function problemWords(problem: ProblemCode | undefined): string {
  return problem === undefined ? '' : ` ${problem}`;
}

function systemCodeWords(system: string | undefined): string {
  return system === undefined ? '' : ` (${system})`;
}
