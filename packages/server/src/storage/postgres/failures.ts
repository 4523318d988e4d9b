import { UnavailableError } from '../../problems.ts';
import { Refusal } from '../../refusals.ts';

/** Node's and OpenSSL's codes for a connection that could not be made or was lost. */
const connectionCodes =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

/** pg and Kysely have no codes for these. */
const connectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|timeout expired|Cannot use a pool after|driver has already been destroyed|Postgres connection has been discarded|SASL:|The server does not support|There was an error establishing)/;

/**
 * SQLSTATE classes and codes, https://www.postgresql.org/docs/current/errcodes-appendix.html:
 * connection, sign-in, resources, operator intervention, a lost race, a full disk, a time limit of
 * transactions and a missing database.
 */
const states = /^(08|28|53|57|58|3D000$|40001$|40P01$|55P03$|25006$|25P03$|25P04$)/;

/**
 * Turns PostgreSQL's errors of reach, sign-in, load and space into `UnavailableError`, and a missing
 * right into `Refusal`; leaves every other as it is.
 */
export function mapPostgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error;
  if (error instanceof AggregateError) return mapPostgresFailure(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === '42501') return new Refusal('postgres_right_missing', {}, { cause: error });
  const isUnavailable =
    isAboutConnecting(error) ||
    connectionCodes.test(code) ||
    states.test(code) ||
    connectionMessages.test(error.message);
  if (!isUnavailable) return error;
  const [message, advice] = sentence(code, error.message);
  return new UnavailableError(message, { advice, cause: error });
}

/** By the system's call: a missing file has the same code as a missing socket. */
function isAboutConnecting(error: Error): boolean {
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}

function sentence(code: string, words: string): readonly [happened: string, advice: string] {
  const [, ...found] =
    sentences.find(([pattern]) => pattern.test(code) || pattern.test(words)) ?? unreached;
  return found;
}

type Sentence = readonly [pattern: RegExp, happened: string, advice: string];

const unreached: Sentence = [
  /^/,
  'The database cannot be reached.',
  'Run `overheard doctor` with the same --database: it says why.',
];

const sentences: readonly Sentence[] = [
  [
    /^(57P0[125]$|08|25P0|ECONNRESET|EPIPE|Connection terminated unexpectedly|Client has encountered)/,
    'The connection to the database was lost.',
    'Try again.',
  ],
  [/^57P03$/, 'The database is starting, stopping or recovering.', 'Try again in a moment.'],
  [
    /^(53300$|timeout exceeded)/,
    'The database has no connection left.',
    'Try again, raise max_connections, or lower --database-connections of each server.',
  ],
  [/^53/, 'The database is out of room: disk or memory.', 'Make room there and try again.'],
  [
    /^(57014$|Query read timeout)/,
    'The database took too long to respond.',
    'Try again when it has less to do.',
  ],
  [
    /^25006$/,
    'The database is read-only: a standby, or set so.',
    'Name the primary in --database.',
  ],
  [/^(40|55P03)/, 'Another transaction was in the way.', 'Try again.'],
];
