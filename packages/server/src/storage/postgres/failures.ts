import { CommandError, UnavailableError } from '../../problems.ts';

/** Of a connection that could not be made or was lost; from Node's and pg's own errors. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg has no codes for these. */
const connectionMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|timeout expired|Cannot use a pool after|driver has already been destroyed|The server does not support)/;

/**
 * SQLSTATE classes and codes, https://www.postgresql.org/docs/current/errcodes-appendix.html:
 * connection, resources, operator intervention, a lost race and a full disk.
 */
const states = /^(08|53|57|58|40001$|40P01$|55P03$|25006$)/;

/** What the database server does not let us do, by SQLSTATE; it stays so until somebody changes it. */
const refusals: ReadonlyArray<readonly [states: RegExp, sentence: string]> = [
  [
    /^28/,
    'The database server refuses this user or password. Check both in --database; psql with the same address says more.',
  ],
  [
    /^3D000$/,
    'The database server has no database of this name. Check it in --database, or make one with `create database`.',
  ],
  [
    /^42501$/,
    'The database server does not let this user do that. Run `grant create on schema public to USER` as the owner of the database, and let the user own the tables of Overheard.',
  ],
];

/**
 * Turns PostgreSQL's errors of load, space and reach into `UnavailableError`, and its refusals of a
 * user, password, database or right into `CommandError`; leaves every other as it is.
 */
export function mapPostgresFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof AggregateError) return mapPostgresFailure(error.errors[0]);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const refusal = refusals.find(([refused]) => refused.test(code));
  if (refusal !== undefined) return new CommandError(refusal[1], { cause: error });
  const isUnavailable =
    connectionCodes.has(code) || states.test(code) || connectionMessages.test(error.message);
  if (!isUnavailable) return error;
  return new UnavailableError(sentence(code), { cause: error });
}

function sentence(code: string): string {
  if (code.startsWith('53')) return 'The database is out of room: disk, memory or connections.';
  if (code === '57014') return 'The database took too long to answer.';
  if (code === '25006') return 'The database is read-only just now.';
  return 'The database cannot be reached.';
}
