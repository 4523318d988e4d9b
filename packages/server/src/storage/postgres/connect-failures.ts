import { UnavailableError } from '../../problems.ts';
import type { Address } from './address.ts';

type Failure = readonly [
  /** Codes of Node, OpenSSL or SQLSTATE, or the driver's words where it has no code. */
  pattern: RegExp,
  happened: (address: Address) => string,
  advice: string,
];

const checkPlace = 'Check the host and port in --database, and that PostgreSQL runs there.';
const checkPassword = 'Correct the user or password in --database, PGPASSWORD or ~/.pgpass.';

/** The first that fits. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const failures: readonly Failure[] = [
  [/^ECONNREFUSED/, ({ place }) => `Nothing accepts connections at ${place}.`, checkPlace],
  [
    /^ENOTFOUND/,
    ({ host }) => `No host is called ${host}.`,
    'Correct the host in --database or in PGHOST.',
  ],
  [
    /^EAI_AGAIN/,
    ({ host }) => `The address of ${host} cannot be looked up.`,
    "Check the host in --database and this machine's name server.",
  ],
  [
    /^ENOENT/,
    ({ place }) => `There is no socket ${place}.`,
    'Check that PostgreSQL runs on this machine, and `show unix_socket_directories`.',
  ],
  [
    /^(EACCES|EPERM)/,
    ({ place }) => `This user may not connect to ${place}.`,
    "Check the permissions of the socket or the machine's firewall.",
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|timeout|Connection terminated due to connection timeout)/,
    ({ place }) => `PostgreSQL does not respond at ${place}.`,
    'Check the host and port in --database, the firewall, and that the server is not overloaded.',
  ],
  [
    /^The server does not support SSL/,
    ({ place }) => `The server at ${place} has no TLS, and the connection asks for it.`,
    'Turn on `ssl` in postgresql.conf, or use sslmode=disable in a network that you trust.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID/,
    ({ host }) => `The server's certificate is not for ${host}.`,
    'Connect by a name that the certificate has.',
  ],
  [
    /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)/,
    () => "The server's certificate has expired or is not valid yet.",
    'Renew it, and check the clocks of both machines.',
  ],
  [
    /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|CRL_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH)/,
    () => "The server's certificate is not trusted.",
    'Name the certificate of its authority with sslrootcert=FILE in --database, or do without the check with sslmode=no-verify.',
  ],
  [
    /^(EPROTO|ERR_SSL|ERR_TLS|ERR_OSSL|There was an error establishing an SSL)/,
    ({ place }) => `No TLS connection can be made to ${place}.`,
    'Check that PostgreSQL listens there, and the TLS settings of both sides.',
  ],
  [
    /^28P01/,
    ({ user }) => `The database server refuses this password of ${user}, or the user.`,
    checkPassword,
  ],
  [
    /^28000 ClientAuthentication/,
    ({ user, database }) =>
      `The database server does not let ${user} connect to ${database} from here in this way.`,
    'Add a line to its pg_hba.conf, or use sslmode=verify-full in --database if it demands TLS.',
  ],
  [/^28/, ({ user }) => `The database server refuses this user, ${user}.`, checkPassword],
  [/^SASL/, () => 'The database server and Overheard cannot agree on the password.', checkPassword],
  [
    /^3D000/,
    ({ database }) => `The server has no database of this name, ${database}.`,
    'Correct it in --database, or create it with `createdb --encoding UTF8 --template template0`.',
  ],
  [
    /^42501/,
    ({ user, database }) => `${user} may not connect to the database ${database}.`,
    'Run `grant connect on database NAME to USER` as its owner.',
  ],
  [
    /^(53300|08P01 no more connections)/,
    ({ place }) => `The server at ${place} has no connection left.`,
    'Raise its max_connections or the limit of the user or database, or lower --database-connections of each server.',
  ],
  [
    /^57P03/,
    ({ place }) => `The server at ${place} is starting, stopping or recovering.`,
    'Try again in a moment.',
  ],
  [
    /^(ECONNRESET|EPIPE|Connection terminated|57P0)/,
    ({ place }) => `${place} closed the connection before it was ready.`,
    'Check that PostgreSQL listens there, and try again.',
  ],
];

/** Says in a sentence why a connection could not be made, and what to do. */
export function connectFailure(error: unknown, address: Address): UnavailableError {
  if (error instanceof UnavailableError) return error;
  // Of several addresses of one name, the first.
  if (error instanceof AggregateError) return connectFailure(error.errors[0], address);
  const words = wordsOf(error);
  for (const [pattern, happened, advice] of failures) {
    if (!words.some((word) => pattern.test(word))) continue;
    return new UnavailableError(happened(address), {
      advice,
      cause: error,
    });
  }
  return new UnavailableError(`No connection can be made to ${address.place} (${words[0]}).`, {
    advice: 'Check that PostgreSQL listens there; psql with the same address may say more.',
    cause: error,
  });
}

/** The code with the name of the server's routine, where there are any, and the driver's words. */
function wordsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const routine = 'routine' in error && typeof error.routine === 'string' ? error.routine : '';
  return code === ''
    ? [error.message]
    : [`${code} ${routine}`.trim(), `${code} ${error.message}`, error.message];
}
