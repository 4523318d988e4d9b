import type { Words } from './define.ts';

/** Why no connection to PostgreSQL can be made. */
export type ConnectionFault = keyof typeof connectionWords;

export interface ConnectionFacts {
  readonly place: string;
  readonly host: string;
  readonly user: string;
  readonly database: string;
  /** Code or words of the driver. */
  readonly words: string;
}

const checkPlace = 'Check the host and port in --database, and that PostgreSQL runs there.';
const checkPassword = 'Correct the user or password in --database, PGPASSWORD or ~/.pgpass.';

/** Explains why a connection to PostgreSQL could not be made, and what to do. */
export const connectionWords = {
  refused: ({ place }) => [`Nothing accepts connections at ${place}.`, checkPlace],
  host_unknown: ({ host }) => [
    `There is no host ${host}.`,
    'Correct the host in --database or in PGHOST.',
  ],
  host_not_looked_up: ({ host }) => [
    `The address of ${host} cannot be looked up.`,
    "Check the host in --database and this machine's name server.",
  ],
  socket_missing: ({ place }) => [
    `There is no socket ${place}.`,
    'Check that PostgreSQL runs on this machine, and `show unix_socket_directories`.',
  ],
  connecting_not_permitted: ({ place }) => [
    `This user may not connect to ${place}.`,
    "Check the permissions of the socket or the machine's firewall.",
  ],
  no_response: ({ place }) => [
    `PostgreSQL does not respond at ${place}.`,
    'Check the host and port in --database, the firewall, and that the server is not overloaded.',
  ],
  tls_not_offered: ({ place }) => [
    `The server at ${place} has no TLS, and the connection asks for it.`,
    'Turn on `ssl` in postgresql.conf, or use sslmode=disable in a network that you trust.',
  ],
  certificate_of_other_host: ({ host }) => [
    `The server's certificate is not for ${host}.`,
    'Connect by a name that the certificate has.',
  ],
  certificate_out_of_date: () => [
    "The server's certificate has expired or is not valid yet.",
    'Renew it, and check the clocks of both machines.',
  ],
  certificate_not_trusted: () => [
    "The server's certificate is not trusted.",
    'Name the certificate of its authority with sslrootcert=FILE in --database, or do without the check with sslmode=no-verify.',
  ],
  tls_failed: ({ place }) => [
    `No TLS connection can be made to ${place}.`,
    'Check that PostgreSQL listens there, and the TLS settings of both sides.',
  ],
  password_refused: ({ user }) => [
    `The database server refuses this password of ${user}, or the user.`,
    checkPassword,
  ],
  sign_in_refused: ({ user, database }) => [
    `The database server does not let ${user} connect to ${database} from here in this way.`,
    'Add a line to its pg_hba.conf, or use sslmode=verify-full in --database if it demands TLS.',
  ],
  user_refused: ({ user }) => [`The database server refuses this user, ${user}.`, checkPassword],
  password_method_differs: () => [
    'The database server and Overheard cannot agree on the password.',
    checkPassword,
  ],
  database_missing: ({ database }) => [
    `The server has no database of this name, ${database}.`,
    'Correct it in --database, or create it with `createdb --encoding UTF8 --template template0`.',
  ],
  database_not_permitted: ({ user, database }) => [
    `${user} may not connect to the database ${database}.`,
    'Run `grant connect on database NAME to USER` as its owner.',
  ],
  connections_exhausted: ({ place }) => [
    `The server at ${place} has no connection left.`,
    'Raise its max_connections or the limit of the user or database, or lower --database-connections of each server.',
  ],
  server_starting: ({ place }) => [
    `The server at ${place} is starting, stopping or recovering.`,
    'Try again in a moment.',
  ],
  closed_early: ({ place }) => [
    `${place} closed the connection before it was ready.`,
    'Check that PostgreSQL listens there, and try again.',
  ],
  other: ({ place, words }) => [
    `No connection can be made to ${place} (${words}).`,
    'Check that PostgreSQL listens there; psql with the same address may say more.',
  ],
} as const satisfies Readonly<Record<string, (facts: ConnectionFacts) => Words>>;
