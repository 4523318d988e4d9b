import { Refusal, isRefusal } from '../../refusals.ts';
import { errnoOf } from '../../values/errno.ts';

/** Node's and OpenSSL's codes for a connection that could not be made or was lost. */
const connectionCodes =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$|EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

/** Messages of pg and Kysely that have no codes. */
const connectionMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout|timeout expired|Cannot use a pool after|driver has already been destroyed|Postgres connection has been discarded|SASL:|The server does not support|There was an error establishing)/;

/**
 * SQLSTATE classes and codes, https://www.postgresql.org/docs/current/errcodes-appendix.html:
 * connection, sign-in, resources, operator intervention, a lost race, a full disk, a time limit of
 * transactions and a missing database.
 */
const states = /^(08|28|53|57|58|3D000$|40001$|40P01$|55P03$|25006$|25P03$|25P04$)/;

/**
 * Turns PostgreSQL's errors about connecting, signing in, load, space and rights into a `Refusal`.
 * Returns any other error unchanged.
 */
export function mapPostgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || isRefusal(error)) return error;
  if (error instanceof AggregateError) return mapPostgresFailure(error.errors[0]);
  const code = errnoOf(error);
  if (code === '42501') return new Refusal('postgres_right_missing', {}, { cause: error });
  const isUnavailable =
    isAboutConnecting(error) ||
    connectionCodes.test(code) ||
    states.test(code) ||
    connectionMessages.test(error.message);
  if (!isUnavailable) return error;
  const [, refusalCode] =
    refusalCodes.find(([pattern]) => pattern.test(code) || pattern.test(error.message)) ?? [];
  return new Refusal(refusalCode ?? 'database_unreachable', {}, { cause: error });
}

/** Checks the system call, because a missing file has the same code as a missing socket. */
function isAboutConnecting(error: Error): boolean {
  return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}

/** Refusals by the code or message of an error. The first match counts. */
const refusalCodes = [
  [
    /^(57P0[125]$|08|25P0|ECONNRESET|EPIPE|Connection terminated unexpectedly|Client has encountered)/,
    'connection_lost',
  ],
  [/^57P03$/, 'database_starting'],
  [/^(53300$|timeout exceeded)/, 'connections_exhausted'],
  [/^53/, 'database_out_of_room'],
  [/^(57014$|Query read timeout)/, 'database_slow'],
  [/^25006$/, 'database_read_only'],
  [/^(40|55P03)/, 'transaction_conflict'],
] as const;
