import { Refusal, isRefusal } from '../../refusals.ts';
import type { ConnectionFault } from '../../refusals/connections.ts';
import { errnoOf } from '../../values/errno.ts';
import type { ServerAddress } from './address.ts';

/**
 * Codes of Node, OpenSSL or SQLSTATE, or the driver's message for errors without a code. The first
 * match counts. https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const faults: ReadonlyArray<readonly [pattern: RegExp, fault: ConnectionFault]> = [
  [/^ECONNREFUSED/, 'refused'],
  [/^ENOTFOUND/, 'host_unknown'],
  [/^EAI_AGAIN/, 'host_not_looked_up'],
  [/^ENOENT/, 'socket_missing'],
  [/^(EACCES|EPERM)/, 'connecting_not_permitted'],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout|Connection terminated due to connection timeout)/,
    'no_response',
  ],
  [/^The server does not support SSL/, 'tls_not_offered'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, 'certificate_of_other_host'],
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)/, 'certificate_out_of_date'],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|CRL_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH)/,
    'certificate_not_trusted',
  ],
  [/^(EPROTO|ERR_SSL|ERR_TLS|ERR_OSSL|There was an error establishing an SSL)/, 'tls_failed'],
  [/^28P01/, 'password_refused'],
  [/^28000 ClientAuthentication/, 'sign_in_refused'],
  [/^28/, 'user_refused'],
  [/^SASL/, 'password_method_differs'],
  [/^3D000/, 'database_missing'],
  [/^42501/, 'database_not_permitted'],
  [/^(53300|08P01 no more connections)/, 'connections_exhausted'],
  [/^57P03/, 'server_starting'],
  [/^(ECONNRESET|EPIPE|Connection terminated|57P0)/, 'closed_early'],
];

/** Explains why a connection could not be made. */
export function connectFailure(error: unknown, address: ServerAddress): Refusal {
  if (isRefusal(error)) return error;
  // A host name with several addresses fails with several errors. Take the first.
  if (error instanceof AggregateError) return connectFailure(error.errors[0], address);
  const { place, host, user, database } = address;
  const words = wordsOf(error);
  const [, fault = 'other'] =
    faults.find(([pattern]) => words.some((word) => pattern.test(word))) ?? [];
  const facts = { fault, place, host, user, database, words: words[0] ?? '' };
  return new Refusal('connection_failed', facts, { cause: error });
}

/** The error code and the server's routine, if known, and the driver's message. */
function wordsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const code = errnoOf(error);
  const routine = 'routine' in error && typeof error.routine === 'string' ? error.routine : '';
  return code === ''
    ? [error.message]
    : [`${code} ${routine}`.trim(), `${code} ${error.message}`, error.message];
}
